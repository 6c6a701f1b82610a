-- Letters that go to every student with an address, and that this one does not want: of charges that are due, of contracts to sign.
alter table notification_settings add column desligados text[] not null default '{}';
