import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import type { ClassOfSession } from './classes.api.js';

export const ShowClass = defineQuery(
  'ShowClass',
  async ({ now, read }, id: string): Promise<ClassOfSession> => {
    const [row] = await read(ofSession({ id, now }));
    if (!row) throw new Problem('agenda.session_not_found');
    return row;
  },
);

const set = (id: 's.grupo_id' | 'w.turma_id') =>
  sql`(select json_build_object('aberta', c.aberta, 'nome', coalesce(c.nome, ''), 'vagas', c.vagas,
      'ate_horas', c.ate_horas, 'minimo_alunos', c.minimo_alunos, 'minimo_horas', c.minimo_horas)
    from classes c where c.id = ${sql.raw(id)})`;

const ofSession = statement((db, { id, now }: Blanks<{ id: string; now: Date }>) =>
  sql<ClassOfSession>`select ${set('s.grupo_id')} as so_esta, ${set('w.turma_id')} as todas,
    case when w.id is not null then (
      select count(distinct a.inicio)::int from series r join sessions a on a.serie_id = r.id
      where (r.id = w.id or r.turma_id = w.turma_id)
        and a.status = 'agendada' and not a.deleted and a.inicio > ${now}::timestamptz
    ) end as aulas,
    coalesce((select json_agg(json_build_object('student_id', st.id, 'nome', st.nome, 'ate', f ->> 'ate') order by place)
      from seat_queues q, jsonb_array_elements(q.fila) with ordinality as e(f, place), students st
      where q.id = s.grupo_id and q.inicio = s.inicio and st.id = (f ->> 'student_id')::uuid), '[]') as fila
    from sessions s left join lateral (
      select r.id, r.turma_id from sessions m join series r on r.id = m.serie_id
      where (m.id = s.id or m.grupo_id = s.grupo_id) and m.inicio = s.inicio and not m.deleted
      order by r.turma_id limit 1
    ) w on true
    where s.id = ${id} and not s.deleted`.compile(db),
);
