-- Up to five comments for each issue, one a day, and 60 for every hundredth issue.
INSERT INTO comments (issue_id, author_id, body, created_at)
SELECT
    issues.id,
    1 + (issues.id + number) % 24,
    'Comment ' || number || ' on issue ' || issues.id,
    issues.created_at + number * INTERVAL '1 day'
FROM issues
CROSS JOIN LATERAL generate_series(1, CASE
    WHEN issues.id % 100 = 0 THEN 60
    ELSE issues.id * 2654435761 % 4294967296 / 4096 % 6
END) AS number
ORDER BY issues.id, number;
