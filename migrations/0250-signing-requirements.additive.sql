-- What a contract asks of whoever signs it, beside the signature.
alter table read.contracts
  add codigo_email boolean not null default false,
  add responsavel boolean not null default false;

alter table read.signature_requests
  -- hashed with the content, so that nobody guesses what was signed
  add sal text,
  add nascimento text,
  -- {nome, cpf, relacao} of who signed for a minor
  add responsavel jsonb,
  -- of the last code that was mailed
  add codigo_numero integer,
  add codigo_expira_em timestamptz,
  add codigo_confirmado_em timestamptz;
alter table read.signature_requests
  alter sal set statistics 0, alter nascimento set statistics 0, alter responsavel set statistics 0;
