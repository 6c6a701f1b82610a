-- What the trainer wrote to a visitor when declining.
alter table read.visits add column mensagem text;
alter table read.visits alter mensagem set statistics 0;
