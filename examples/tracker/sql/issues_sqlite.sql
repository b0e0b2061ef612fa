-- $1 issues, which are the same in each run. Their times tie: 40 issues are created at once.
WITH RECURSIVE series (number) AS (
    SELECT 1 UNION ALL SELECT number + 1 FROM series WHERE number < $1
),
numbers AS (
    SELECT number, number * 2654435761 % 4294967296 / 4096 AS hash FROM series
),
problems (problem, start) AS (
    VALUES (0, 'Crash'), (1, 'Timeout'), (2, 'Wrong total'), (3, 'Missing row'), (4, 'Blank page'),
        (5, 'Slow response'), (6, 'Broken link'), (7, 'Layout shift'), (8, 'Memory leak'), (9, 'Unclear error')
),
actions (action, middle) AS (
    VALUES (0, 'after login'), (1, 'while exporting'), (2, 'when sorting'), (3, 'on the last page'),
        (4, 'during import'), (5, 'after an upgrade'), (6, 'with 100% zoom'), (7, 'for new users'), (8, 'on retry')
),
places (place, finish) AS (
    VALUES (0, 'in reports'), (1, 'on mobile'), (2, 'in the editor'), (3, 'in search'), (4, 'in settings'),
        (5, 'in the API'), (6, 'in Firefox')
)
INSERT INTO issues (project_id, author_id, title, state, priority, created_at, closed_at)
SELECT
    1 + number % 20,
    1 + hash % 24,
    (SELECT start FROM problems WHERE problem = hash % 10)
        || ' ' || (SELECT middle FROM actions WHERE action = hash % 9)
        || ' ' || (SELECT finish FROM places WHERE place = hash % 7),
    CASE WHEN hash / 10 % 5 < 2 THEN 'open' ELSE 'closed' END,
    1 + hash / 24 % 4,
    strftime('%Y-%m-%dT%H:%M:%S+00:00', '2025-01-01', (number / 40 * 200) || ' minutes'),
    CASE
        WHEN hash / 10 % 5 >= 2
        THEN strftime('%Y-%m-%dT%H:%M:%S+00:00', '2025-01-01', (number / 40 * 200 + hash % 500 * 60) || ' minutes')
    END
FROM numbers
ORDER BY number;
