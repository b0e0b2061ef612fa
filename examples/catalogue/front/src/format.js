// Formats numbers for readers.

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
const UNITS = ["KiB", "MiB", "GiB"];

export const count = (number) => whole.format(number);

export const packages = (number) => (number === 1 ? "1 package" : `${count(number)} packages`);

/** A size, given in KiB. */
export function size(kib) {
    if (kib === null) return "unknown";
    let unit = 0;
    while (kib >= 1024 && unit < UNITS.length - 1) {
        kib /= 1024;
        unit += 1;
    }
    return `${(unit === 0 ? whole : short).format(kib)} ${UNITS[unit]}`;
}
