CREATE TABLE users (
    id    INTEGER PRIMARY KEY,
    login TEXT NOT NULL UNIQUE,
    name  TEXT NOT NULL
);

CREATE TABLE projects (
    id   INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
);

CREATE TABLE labels (
    project_id INTEGER NOT NULL REFERENCES projects,
    name       TEXT NOT NULL,
    PRIMARY KEY (project_id, name)
) WITHOUT ROWID;

-- Times are text as sqlx writes it: 2025-01-31T12:00:00+00:00.
CREATE TABLE issues (
    id         INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects,
    author_id  INTEGER NOT NULL REFERENCES users,
    title      TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('open', 'closed')),
    -- 1 is low, 4 is urgent.
    priority   INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 4),
    created_at TEXT NOT NULL,
    closed_at  TEXT
);

CREATE TABLE issue_labels (
    issue_id   INTEGER NOT NULL REFERENCES issues,
    label      TEXT NOT NULL,
    project_id INTEGER NOT NULL,
    PRIMARY KEY (issue_id, label),
    FOREIGN KEY (project_id, label) REFERENCES labels
) WITHOUT ROWID;

CREATE TABLE comments (
    id         INTEGER PRIMARY KEY,
    issue_id   INTEGER NOT NULL REFERENCES issues,
    author_id  INTEGER NOT NULL REFERENCES users,
    body       TEXT NOT NULL,
    created_at TEXT NOT NULL
);

-- One index for each order of a list: first the columns that the list compares with one value, then the order, and the
-- primary key at the end. Each also serves the reverse order.
CREATE INDEX issues_newest ON issues (created_at, id);
CREATE INDEX issues_of_project ON issues (project_id, created_at, id);
CREATE INDEX issues_of_project_by_state ON issues (project_id, state, created_at, id);
CREATE INDEX issues_of_project_by_priority ON issues (project_id, priority, id);
CREATE INDEX issues_of_project_by_title ON issues (project_id, title, id);
CREATE INDEX issue_labels_by_label ON issue_labels (project_id, label, issue_id);
CREATE INDEX comments_of_issue ON comments (issue_id, created_at, id);
