-- Since when the calendar cannot be read, once the trainer was told.
alter table read.other_calendar add column parado_desde timestamptz;

-- How many of its events could not be read, or not in full.
alter table public.other_calendar_reads add column ignorados integer;
