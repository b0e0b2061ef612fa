-- 24 users, 20 projects, and the same eight labels in each project.
INSERT INTO users (login, name) VALUES
    ('ada', 'Ada Byron'), ('alan', 'Alan Mathison'), ('barbara', 'Barbara Huberman'), ('bjarne', 'Bjarne Aarhus'),
    ('claude', 'Claude Elwood'), ('dana', 'Dana Starr'), ('dennis', 'Dennis MacAlister'), ('donald', 'Donald Ervin'),
    ('edsger', 'Edsger Wybe'), ('edith', 'Edith Clarke'), ('frances', 'Frances Allen'), ('grace', 'Grace Murray'),
    ('guido', 'Guido Haarlem'), ('hedy', 'Hedy Kiesler'), ('jean', 'Jean Jennings'), ('john', 'John Warner'),
    ('katherine', 'Katherine Coleman'), ('ken', 'Ken Lane'), ('leslie', 'Leslie Barry'), ('margaret', 'Margaret Heath'),
    ('mary', 'Mary Kenneth'), ('niklaus', 'Niklaus Emil'), ('radia', 'Radia Joy'), ('tim', 'Tim John');

INSERT INTO projects (slug, name) VALUES
    ('atlas', 'Atlas'), ('beacon', 'Beacon'), ('compass', 'Compass'), ('delta', 'Delta'), ('ember', 'Ember'),
    ('falcon', 'Falcon'), ('glacier', 'Glacier'), ('harbor', 'Harbor'), ('iris', 'Iris'), ('juniper', 'Juniper'),
    ('kestrel', 'Kestrel'), ('lantern', 'Lantern'), ('meadow', 'Meadow'), ('nimbus', 'Nimbus'), ('orchard', 'Orchard'),
    ('prism', 'Prism'), ('quartz', 'Quartz'), ('river', 'River'), ('summit', 'Summit'), ('tundra', 'Tundra');

INSERT INTO labels (project_id, name)
SELECT projects.id, names.name
FROM projects
CROSS JOIN (
    SELECT 'bug' AS name
    UNION ALL SELECT 'documentation'
    UNION ALL SELECT 'duplicate'
    UNION ALL SELECT 'feature'
    UNION ALL SELECT 'performance'
    UNION ALL SELECT 'question'
    UNION ALL SELECT 'security'
    UNION ALL SELECT 'usability'
) AS names;
