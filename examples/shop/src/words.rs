//! The words of the pages in each language. Those of the page links are folio's.

use folio::ActiveRequest;
use folio::html::{Arabic, English, German, Texts};

pub(crate) struct Words {
    pub(crate) texts: &'static dyn Texts,
    pub(crate) title: &'static str,
    pub(crate) endless: &'static str,
    pub(crate) views: &'static str,
    pub(crate) skip: &'static str,
    pub(crate) name: &'static str,
    pub(crate) section: &'static str,
    pub(crate) priority: &'static str,
    pub(crate) size: &'static str,
    pub(crate) size_from: &'static str,
    pub(crate) size_to: &'static str,
    pub(crate) dependencies: &'static str,
    pub(crate) version: &'static str,
    pub(crate) download: &'static str,
    pub(crate) rows: &'static str,
    pub(crate) all: &'static str,
    pub(crate) show: &'static str,
    pub(crate) filters: &'static str,
    pub(crate) remove: &'static str,
    pub(crate) nothing: &'static str,
    pub(crate) by_scrolling: &'static str,
    pub(crate) by_button: &'static str,
    pub(crate) back: &'static str,
}

/// Those of the request, as in `?lang=de`.
pub(crate) fn words() -> &'static Words {
    let request = ActiveRequest::current();
    match request.as_ref().and_then(|request| request.value("lang")).as_deref() {
        Some("de") => &GERMAN,
        Some("ar") => &ARABIC,
        _ => &ENGLISH,
    }
}

static ENGLISH: Words = Words {
    texts: &English,
    title: "Packages",
    endless: "Endless list",
    views: "Views",
    skip: "Skip to the content",
    name: "Name",
    section: "Section",
    priority: "Priority",
    size: "Installed size",
    size_from: "Size from (KiB)",
    size_to: "Size to (KiB)",
    dependencies: "Dependencies",
    version: "Version",
    download: "Download",
    rows: "Rows",
    all: "All",
    show: "Show",
    filters: "Filters",
    remove: "Remove",
    nothing: "No packages here.",
    by_scrolling: "Load while scrolling",
    by_button: "Load by a button",
    back: "Back to the list",
};

static GERMAN: Words = Words {
    texts: &German,
    title: "Pakete",
    endless: "Endlose Liste",
    views: "Ansichten",
    skip: "Zum Inhalt",
    name: "Name",
    section: "Bereich",
    priority: "Priorität",
    size: "Größe",
    size_from: "Größe ab (KiB)",
    size_to: "Größe bis (KiB)",
    dependencies: "Abhängigkeiten",
    version: "Version",
    download: "Download",
    rows: "Zeilen",
    all: "Alle",
    show: "Anzeigen",
    filters: "Filter",
    remove: "Entfernen",
    nothing: "Keine Pakete hier.",
    by_scrolling: "Beim Scrollen laden",
    by_button: "Mit Schaltfläche laden",
    back: "Zurück zur Liste",
};

static ARABIC: Words = Words {
    texts: &Arabic,
    title: "الحزم",
    endless: "قائمة متصلة",
    views: "طرق العرض",
    skip: "انتقل إلى المحتوى",
    name: "الاسم",
    section: "القسم",
    priority: "الأولوية",
    size: "الحجم",
    size_from: "الحجم من (KiB)",
    size_to: "الحجم إلى (KiB)",
    dependencies: "الاعتماديات",
    version: "الإصدار",
    download: "التنزيل",
    rows: "الصفوف",
    all: "الكل",
    show: "عرض",
    filters: "المرشحات",
    remove: "إزالة",
    nothing: "لا توجد حزم هنا.",
    by_scrolling: "التحميل عند التمرير",
    by_button: "التحميل بزر",
    back: "العودة إلى القائمة",
};
