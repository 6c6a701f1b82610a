-- How far a rebuild is, it notes beside the tables that it fills. Rows of one that was cut off are not needed any more.
delete from projection_checkpoint where projection like 'rebuild:%';
