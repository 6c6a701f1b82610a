import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
// For every phone that the server reads, also in other modules.
import './phone-abroad.api.js';
import { personHistory } from './person.history.js';
import { person } from './person.js';
import { student } from './student.js';
import { studentsApi, studentErrors } from './students.api.js';
import { ArchiveStudent, RemoveStudent, TagStudent } from './students.commands.js';
import { ChangeStudents } from './students-bulk.commands.js';
import { studentHistory } from './students.history.js';
import { students } from './students.projection.js';
import { ListStudents, ListTags, GetStudent } from './students.queries.js';

@Module(
  serve(studentsApi, {
    list: ListStudents,
    changeMany: ChangeStudents,
    tags: ListTags,
    get: GetStudent,
    tag: TagStudent,
    remove: RemoveStudent,
    archive: ArchiveStudent,
  }),
)
export class StudentsModule {
  static readonly feature: Feature = {
    aggregates: [student, person],
    projections: [students],
    history: { ...studentHistory, ...personHistory },
    ownData: {
      sheets: {
        alunos: `select s.id, s.nome, s.telefone, s.whatsapp, s.email, s.plano_id, p.nome as plano, s.observacoes,
        array_to_string(array(select jsonb_array_elements_text(s.etiquetas)), ', ') as etiquetas,
        s.cpf, s.nascimento, s.emergencia_nome, s.emergencia_telefone, s.emergencia_relacao, s.responsavel_nome, s.responsavel_telefone,
        case s.status when 'active' then 'ativo' when 'archived' then 'inativo' else 'excluido' end as situacao, s.juntado_em, s.criado_em,
        (select string_agg(l.restante || coalesce(to_char(l.expira_em, '" até "DD/MM/YYYY'), ''), ' + '
             order by l.expires_at nulls last, l.position)
           from credit_lot_balances l where l.tenant_id = s.tenant_id and l.student_id = s.id and l.restante > 0
             and (l.expires_at is null or l.expires_at > now())) as creditos,
        m.valor as mensalidade, mp.nome as mensalidade_plano, m.desde as mensalidade_desde, m.ate as mensalidade_ate, m.vence_dia
      from students s left join plans p on p.tenant_id = s.tenant_id and p.id = s.plano_id
      left join monthly_plans m on m.tenant_id = s.tenant_id and m.id = s.id and m.ativo
      left join plans mp on mp.tenant_id = m.tenant_id and mp.id = m.plano_id order by s.criado_em, s.id`,
      },
      student: {
        cadastro: `select s.id, s.nome, s.telefone, s.whatsapp, s.email, p.nome as plano, s.criado_em, s.cpf, s.nascimento,
        s.emergencia_nome, s.emergencia_telefone, s.emergencia_relacao, s.responsavel_nome, s.responsavel_telefone
      from students s left join plans p on p.tenant_id = s.tenant_id and p.id = s.plano_id where s.id = $1`,
      },
    },
    errors: studentErrors,
  };
}
