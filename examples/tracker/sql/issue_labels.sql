-- Each issue has about one in six of its project's eight labels.
INSERT INTO issue_labels (issue_id, label, project_id)
SELECT issues.id, labels.name, labels.project_id
FROM issues
JOIN labels ON labels.project_id = issues.project_id
WHERE (issues.id * 2654435761 % 4294967296 / 4096 + LENGTH(labels.name) * 1009) % 6 = 0;
