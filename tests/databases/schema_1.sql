-- A database as the first version made it (schema 1).
PRAGMA application_id = 1684365921;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE debates (
	number INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (id)
);
INSERT INTO "debates" VALUES(1,'d-1');
CREATE TABLE events (
	id INTEGER NOT NULL, 
	debate INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	body TEXT NOT NULL, 
	hash BLOB NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (debate, seq), 
	UNIQUE (debate, "key")
);
INSERT INTO "events" VALUES(1,1,1,'2026-01-01T00:00:00.000000Z','engine','debate_opened','open','{"edition":2,"format":1,"spec":{"context":"","drivers":[],"max_rounds":2,"models":[],"options":["adopt","defer"],"protocol":{"after":[],"attempts":2,"before":[],"check_after":"phase","decide":{"allows_two_winners":true,"base":"eligible","if_undecided":"escalate","kind":"threshold_vote","tie":[],"votes":2},"each_round":[{"after_redo":false,"directed":false,"gives":"argument","name":"proposal","order":"at_once","paired":false,"places":[],"role":"debater","sealed":false,"sees":{"names":"stance","shuffle":false,"turns":"earlier_phases"},"starts":"declared","unless_decided":false,"when":"every"},{"after_redo":false,"directed":false,"gives":"review","name":"marking","order":"in_turn","paired":false,"places":[],"role":"chair","sealed":false,"sees":{"names":"stance","shuffle":false,"turns":"all"},"starts":"declared","unless_decided":false,"when":"every"},{"after_redo":false,"directed":false,"gives":"argument","name":"critique","order":"in_turn","paired":false,"places":[],"role":"debater","sealed":false,"sees":{"names":"stance","shuffle":false,"turns":"all"},"starts":"declared","unless_decided":false,"when":"every"},{"after_redo":false,"directed":false,"gives":"argument","name":"revision","order":"in_turn","paired":false,"places":[],"role":"debater","sealed":false,"sees":{"names":"stance","shuffle":false,"turns":"all"},"starts":"declared","unless_decided":false,"when":"every"},{"after_redo":false,"directed":false,"gives":"argument","name":"consensus","order":"in_turn","paired":false,"places":[],"role":"debater","sealed":false,"sees":{"names":"stance","shuffle":false,"turns":"all"},"starts":"declared","unless_decided":false,"when":"every"}],"name":"bounded_vote","purpose":"A counted vote over four short phases that ends as soon as enough seats agree and escalates if they never do; a tie is never broken by who was counted first.","rounds":{"default":2,"hard_max":8,"warn_above":4},"source":"seed 000, Debate (orchestration pattern)","stop":[{"kind":"decision_reached"},{"kind":"max_rounds"}]},"question":"Adopt it?","seats":[{"commitment":"concede_points","id":"risk","occupant":"scripted","persona":"","role":"debater","stance":"","weight":1},{"commitment":"concede_points","id":"cost","occupant":"scripted","persona":"","role":"debater","stance":"","weight":1}],"seed":0,"sources":[],"templates":[]}}',X'82BA1476FF9BF56741FB28E55B7BAAF2FD4542C1E84DEB21788FA4E4A505EE7C');
INSERT INTO "events" VALUES(2,1,2,'2026-01-01T00:00:00.000000Z','engine','phase_began','phase:1.proposal','{"phase":"proposal","round":1,"speakers":["risk","cost"]}',X'4DCAB138CD5DDE6BB85E31CEA5E5C7C3801802AB42D3992205CDFAE139276747');
INSERT INTO "events" VALUES(3,1,3,'2026-01-01T00:00:00.000000Z','chair','paused','paused:3','{"reason":"tea","unreached":false}',X'BAB6714BD885EA47D42129BA3808AEE8AE9DBA0938BC1602285E25E88D0BECB8');
CREATE TABLE leases (
	debate TEXT NOT NULL, 
	owner TEXT NOT NULL, 
	fence INTEGER NOT NULL, 
	until_s FLOAT NOT NULL, 
	PRIMARY KEY (debate)
)
 WITHOUT ROWID

;
INSERT INTO "leases" VALUES('d-1','old:1:1',1,1.79544497165986943242e+09);
CREATE TABLE papers (
	kind TEXT NOT NULL, 
	name TEXT NOT NULL, 
	text TEXT NOT NULL, 
	at_ns INTEGER NOT NULL, 
	PRIMARY KEY (kind, name)
)
 WITHOUT ROWID

;
INSERT INTO "papers" VALUES('draft','a','one',1795444970679749955);
CREATE TRIGGER events_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_insert BEFORE INSERT ON events WHEN NEW.seq IS NOT 1 + coalesce((SELECT max(seq) FROM events WHERE debate = NEW.debate), 0) OR EXISTS (SELECT 1 FROM events WHERE debate = NEW.debate AND key = NEW.key) OR EXISTS (SELECT 1 FROM events WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER debates_update BEFORE UPDATE ON debates BEGIN SELECT RAISE(ABORT, 'debates are append-only'); END;
CREATE TRIGGER debates_delete BEFORE DELETE ON debates BEGIN SELECT RAISE(ABORT, 'debates are append-only'); END;
CREATE TRIGGER debates_insert BEFORE INSERT ON debates WHEN EXISTS (SELECT 1 FROM debates WHERE number = NEW.number OR id = NEW.id) BEGIN SELECT RAISE(ABORT, 'debates are append-only'); END;
COMMIT;
