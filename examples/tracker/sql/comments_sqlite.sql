-- Up to five comments for each issue, one a day, and 60 for every hundredth issue.
WITH RECURSIVE numbers (number) AS (
    SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 60
)
INSERT INTO comments (issue_id, author_id, body, created_at)
SELECT
    issues.id,
    1 + (issues.id + number) % 24,
    'Comment ' || number || ' on issue ' || issues.id,
    strftime('%Y-%m-%dT%H:%M:%S+00:00', issues.created_at, number || ' days')
FROM issues
JOIN numbers ON number <= CASE
    WHEN issues.id % 100 = 0 THEN 60
    ELSE issues.id * 2654435761 % 4294967296 / 4096 % 6
END
ORDER BY issues.id, number;
