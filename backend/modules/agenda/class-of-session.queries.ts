import { sql } from 'kysely';

/** The class that the session `s` belongs to, for a lateral join: what is set for its hour alone counts before what is set for all weekly ones. */
export const classOfSession = sql<{ nome: string | null; vagas: number; ate_horas: number }>`(
  select own.nome, own.vagas, own.ate_horas, own.minimo_alunos, own.minimo_horas from (
    select c.* from classes c where s.grupo_id is not null and c.id in (s.grupo_id, (
      select r.turma_id from sessions m join series r on r.id = m.serie_id
      where m.grupo_id = s.grupo_id and not m.deleted and r.turma_id is not null limit 1))
    order by c.id = s.grupo_id desc limit 1
  ) own where own.aberta)`.as('k');
