import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import type { Effects } from '../../platform/event-store/effect.js';
import type { HistoryWords, HistoryWording } from '../../platform/event-store/history.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { searchable } from '../../platform/searchable.api.js';
import './phone-abroad.api.js';
import { type PersonEvent, person } from './person.js';
import {
  student,
  type ExistingStudent,
  type StudentState,
  type StudentDetails,
  type StudentEvent,
  type StudentFields,
} from './student.js';
import { studentsApi, studentErrors } from './students.api.js';
import { ArchiveStudent, RemoveStudent, TagStudent, ChangeStudents } from './students.commands.js';
import { ListStudents, ListTags, GetStudent } from './students.queries.js';

type Updated = Partial<StudentFields & StudentDetails>;

const labels: Record<keyof Updated, string> = {
  nome: 'nome',
  telefone: 'telefone',
  whatsapp: 'WhatsApp',
  email: 'e-mail',
  plano_id: 'plano',
  observacoes: 'observações',
  cpf: 'CPF',
  nascimento: 'data de nascimento',
  emergencia_nome: 'contato de emergência',
  emergencia_telefone: 'telefone de emergência',
  emergencia_relacao: 'parentesco do contato de emergência',
  responsavel_nome: 'responsável',
  responsavel_telefone: 'telefone do responsável',
};

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const said = (words: string): HistoryWording => ({ subjects, words: () => words });

/** `nome (Ana Souza)`; a field that was emptied or has no displayable text is named without its value. */
function changed(changes: Updated): string {
  return Object.entries(labels)
    .filter(([field]) => field in changes)
    .map(([field, label]) => {
      const value = field === 'plano_id' || field === 'cpf' ? null : changes[field as keyof Updated];
      return value ? `${label} (${value})` : label;
    })
    .join(', ');
}

const studentHistory: HistoryWords<StudentEvent> = {
  StudentRegistered: {
    subjects,
    words: ({ nome }) => (nome === null ? 'Cadastrou o aluno' : `Cadastrou ${nome}`),
  },
  StudentUpdated: { subjects, words: (changes) => `Alterou ${changed(changes)}` },
  StudentDetailsChanged: { subjects, words: (changes) => `Alterou ${changed(changes)}` },
  StudentTagged: {
    subjects,
    words: ({ etiquetas }) => {
      const known = etiquetas.filter((tag) => tag !== null);
      if (known.length > 0) return `Mudou as etiquetas: ${known.join(', ')}`;
      return etiquetas.length > 0 ? 'Mudou as etiquetas' : 'Removeu as etiquetas';
    },
  },
  StudentArchived: said('Inativou o aluno'),
  StudentRemoved: said('Excluiu o aluno'),
  StudentRestored: said('Reativou o aluno'),
  // The merging has a line of its own for both.
  StudentMerged: { subjects: () => [], words: () => 'Juntou este cadastro com outro' },
  StudentUnmerged: { subjects: () => [], words: () => 'Desfez a junção deste cadastro com outro' },
};

type StudentRow = ExistingStudent & { busca: string; criado_em: string };

/** Folded state of each student; removed students keep their row, so that they can be restored. */
const students = stateProjection(student, {
  name: 'students',
  version: 4,
  topic: 'students',
  table: 'students',
  evolve(row: StudentRow | undefined, event) {
    const before: StudentState = row ?? student.initialState;
    const after = student.evolve(before, event);
    if (after.status === 'unknown') return null;
    const digits = [after.telefone, after.whatsapp].map((phone) => phone?.slice(1) ?? '');
    return {
      ...after,
      busca: searchable([after.nome ?? '', ...new Set(digits)].join(' ')),
      criado_em: row?.criado_em ?? event.recordedAt.toISOString(),
    };
  },
});

/** A student or a payer. */
const ofPerson = ({ person_id }: { person_id: string }) => [`student:${person_id}`, `payer:${person_id}`];

const personHistory: HistoryWords<PersonEvent> = {
  PersonForgotten: {
    subjects: ofPerson,
    words: (_data, _zone, of) =>
      `Apagou os dados pessoais do ${of?.startsWith('payer:') ? 'pagador' : 'aluno'}`,
  },
  RetentionEnded: {
    subjects: ofPerson,
    words: (_data, _zone, of) =>
      `Acabou o prazo de guardar documentos do ${of?.startsWith('payer:') ? 'pagador' : 'aluno'}: foram apagados`,
  },
};

const studentEffects: Effects = {
  StudentRestored: ({ student_id, plano_id }: { student_id: string; plano_id: string | null }) => [
    {
      kind: 'restored',
      quantidade: 1,
      student_id,
      texto: (_sum, nome) =>
        `${nome ?? 'o aluno'} volta à lista de ativos, ${plano_id === null ? 'sem plano' : 'com o plano de antes'}`,
    },
  ],
};

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
    effects: studentEffects,
    errors: studentErrors,
  };
}
