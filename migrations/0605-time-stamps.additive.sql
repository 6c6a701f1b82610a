-- What the time stamp in the PDF of a signature says.
alter table read.signature_requests add carimbo_em timestamptz;
