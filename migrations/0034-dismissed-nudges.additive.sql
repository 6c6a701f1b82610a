alter table read.nudges add column dispensado_em timestamptz;
