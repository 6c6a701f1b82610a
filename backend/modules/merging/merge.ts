import type { Aggregate } from '../../platform/event-store/aggregate.js';
import type { Access } from '../accounts/student-access.js';
import type { MonthlyPlanEvent } from '../charges/monthly-plan.js';
import type { Lot } from '../credits/credit-account.js';
import type { ExistingStudent, StudentDetails, StudentEvent, StudentFields } from '../students/student.js';

type Fields = StudentFields & StudentDetails;
type FilledField = Exclude<keyof Fields, 'nome' | 'plano_id'>;

/** What the student who stays got of the other one's record. */
interface Filled {
  /** They were empty before. */
  campos: FilledField[];
  /** Both had notes, which stand one below the other. */
  observacoes_juntas: boolean;
  plano_antes: string | null;
  plano_depois: string | null;
  etiquetas: (string | null)[];
}

type Agreement = Extract<MonthlyPlanEvent, { type: 'MonthlyPlanSet' }>['data'];

/** Numbers for the line in the history. */
interface Summary {
  sessoes: number;
  creditos: number;
  /** Cents. */
  em_aberto: number;
}

/** `fica`: the student who stays; `sai`: the second record of the same person, whose things are now `fica`'s. */
export type MergeEvent =
  | {
      type: 'StudentsMerged';
      data: Filled &
        Summary & {
          juncao_id: string;
          fica: string;
          sai: string;
          /** Of `sai`; null once the person is forgotten. */
          nome: string | null;
          inativo: boolean;
          /** The agreement before and after, where it was `sai`'s. */
          mensalidade: { antes: Agreement; depois: Agreement } | null;
          /** The lots as they were taken over. */
          lotes: Lot[];
          /** All lots, also those that were used up. */
          todos: string[];
          /** Access of both before, where `sai` had one. */
          acessos: { fica: Access; sai: Access } | null;
        };
    }
  | { type: 'StudentsUnmerged'; data: { juncao_id: string; fica: string; sai: string } };

export type KnownMerge = Extract<MergeEvent, { type: 'StudentsMerged' }>['data'] & { desfeita: boolean };

/** Undefined before; the stream's id is `juncao_id`. */
export const studentMerge: Aggregate<KnownMerge | undefined, MergeEvent> = {
  name: 'student-merge',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'StudentsMerged':
        return { ...data, desfeita: false };
      case 'StudentsUnmerged':
        return state && { ...state, desfeita: true };
    }
  },
  events: {
    StudentsMerged: {
      schemaVersion: 1,
      personal: { person: ({ sai }) => sai, fields: ['nome', 'etiquetas[]'] },
      uses: 'nothing new',
    },
    StudentsUnmerged: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** Fields that are taken together, where none of them has a value: who is called, and by which number. */
const TOGETHER: readonly FilledField[][] = [
  ['telefone'],
  ['whatsapp'],
  ['email'],
  ['observacoes'],
  ['cpf'],
  ['nascimento'],
  ['emergencia_nome', 'emergencia_telefone', 'emergencia_relacao'],
  ['responsavel_nome', 'responsavel_telefone'],
];

const isDetail = (field: FilledField): field is keyof StudentDetails =>
  !['telefone', 'whatsapp', 'email', 'observacoes'].includes(field);

function changedTo(student_id: string, values: Partial<Fields>): StudentEvent[] {
  const entries = Object.entries(values) as [keyof Fields, string | null][];
  const of = (details: boolean) =>
    Object.fromEntries(
      entries.filter(([field]) => isDetail(field as FilledField) === details && field !== 'plano_id'),
    );
  const fields = { ...of(false), ...('plano_id' in values && { plano_id: values.plano_id }) };
  const details = of(true);
  return [
    ...(Object.keys(fields).length > 0
      ? [{ type: 'StudentUpdated' as const, data: { student_id, ...fields } }]
      : []),
    ...(Object.keys(details).length > 0
      ? [{ type: 'StudentDetailsChanged' as const, data: { student_id, ...details } }]
      : []),
  ];
}

const both = (fica: string, sai: string) => `${fica}\n\n${sai}`;

/** Fills what is empty in the record that stays; what has a value stays. `plano_id`: the plan from now on. */
export function decideFill(
  fica: ExistingStudent,
  sai: ExistingStudent,
  plano_id: string | null,
): { events: StudentEvent[]; filled: Filled } {
  const { student_id } = fica;
  const campos = TOGETHER.filter(
    (fields) => fields.every((field) => fica[field] === null) && fields.some((field) => sai[field] !== null),
  )
    .flat()
    .filter((field) => sai[field] !== null);
  const observacoes_juntas =
    fica.observacoes !== null && sai.observacoes !== null && fica.observacoes !== sai.observacoes;
  const etiquetas = sai.etiquetas.filter((tag) => !fica.etiquetas.includes(tag));
  const values: Partial<Fields> = {
    ...Object.fromEntries(campos.map((field) => [field, sai[field]])),
    ...(observacoes_juntas && { observacoes: both(fica.observacoes!, sai.observacoes!) }),
    ...(plano_id !== fica.plano_id && { plano_id }),
  };
  const tagged: StudentEvent = {
    type: 'StudentTagged',
    data: { student_id, etiquetas: [...fica.etiquetas, ...etiquetas] },
  };
  return {
    events: [...changedTo(student_id, values), ...(etiquetas.length > 0 ? [tagged] : [])],
    filled: { campos, observacoes_juntas, plano_antes: fica.plano_id, plano_depois: plano_id, etiquetas },
  };
}

/** Takes back what was filled, but what has changed since. */
export function decideEmpty(fica: ExistingStudent, sai: ExistingStudent, filled: Filled): StudentEvent[] {
  const { student_id } = fica;
  const { campos, observacoes_juntas, plano_antes, plano_depois, etiquetas } = filled;
  const joined = sai.observacoes === null ? '' : both('', sai.observacoes);
  const values: Partial<Fields> = {
    ...Object.fromEntries(campos.filter((field) => fica[field] === sai[field]).map((field) => [field, null])),
    ...(observacoes_juntas &&
      fica.observacoes?.endsWith(joined) && { observacoes: fica.observacoes.slice(0, -joined.length) }),
    ...(plano_antes !== plano_depois && fica.plano_id === plano_depois && { plano_id: plano_antes }),
  };
  const left = fica.etiquetas.filter((tag) => !etiquetas.includes(tag));
  const tagged: StudentEvent = { type: 'StudentTagged', data: { student_id, etiquetas: left } };
  return [...changedTo(student_id, values), ...(left.length < fica.etiquetas.length ? [tagged] : [])];
}
