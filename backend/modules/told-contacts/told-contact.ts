import type { Aggregate, PersonalFields } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { searchable } from '../../platform/searchable.api.js';
import type { ExistingStudent, StudentFields, StudentState } from '../students/student.js';
import type { StudentChanges } from '../students/students.api.js';
import type { ToldAnswer, ToldField } from './told-contacts.api.js';

interface Ids {
  student_id: string;
}

/** What the register said before the trainer took over what the student told. */
type Before = Partial<Pick<StudentFields, ToldField | 'telefone'>>;

export type ToldContactEvent =
  /** What the student's account says from now on, only what changed. Null: nothing but what the register says. */
  | { type: 'ContactTold'; data: Ids & Partial<Record<ToldField, string | null>> }
  | { type: 'ToldContactTaken'; data: Ids & { campo: ToldField; antes: Before } }
  | { type: 'ToldContactDismissed'; data: Ids & { campo: ToldField } }
  /** The trainer undid the answer. */
  | { type: 'ToldContactAskedAgain'; data: Ids & { campo: ToldField } };

interface Told {
  /** Null once the student is forgotten. */
  valor: string;
  /** The trainer has not answered. */
  aberto: boolean;
  /** Missing unless the register was changed. */
  antes?: Before;
}

export type ToldContactState = Record<ToldField, Told | null>;

const personal: PersonalFields<Ids & Partial<Record<ToldField, string | null>>> = {
  person: ({ student_id }) => student_id,
  fields: ['nome', 'whatsapp'],
};

/** What a student's own account says of name and WhatsApp, about which the trainer is asked. The stream's id is the student's. */
export const toldContact: Aggregate<ToldContactState, ToldContactEvent> = {
  name: 'told-contact',
  initialState: { whatsapp: null, nome: null },
  evolve(state, { type, data }) {
    switch (type) {
      case 'ContactTold': {
        const told = (campo: ToldField) => {
          const valor = data[campo];
          if (valor === undefined) return state[campo];
          return valor === null ? null : { valor, aberto: true };
        };
        return { whatsapp: told('whatsapp'), nome: told('nome') };
      }
      case 'ToldContactTaken':
        return change(state, data.campo, { aberto: false, antes: data.antes });
      case 'ToldContactDismissed':
        return change(state, data.campo, { aberto: false });
      case 'ToldContactAskedAgain':
        return change(state, data.campo, { aberto: true, antes: undefined });
    }
  },
  events: {
    // Only students with an account tell something.
    ContactTold: { schemaVersion: 1, personal, uses: 'nothing new' },
    ToldContactTaken: {
      schemaVersion: 1,
      personal: {
        person: ({ student_id }) => student_id,
        fields: ['antes.nome', 'antes.whatsapp', 'antes.telefone'],
      },
      uses: 'nothing new',
    },
    ToldContactDismissed: { schemaVersion: 1, uses: 'nothing new' },
    ToldContactAskedAgain: { schemaVersion: 1, uses: 'nothing new' },
  },
};

function change(state: ToldContactState, campo: ToldField, { antes, ...changed }: Partial<Told>) {
  const { antes: _, ...told } = state[campo] ?? {};
  return state[campo] ? { ...state, [campo]: { ...told, ...changed, ...(antes && { antes }) } } : state;
}

/** What the register says of a field: of the WhatsApp, the number to which messages go. */
const registered = (campo: ToldField, { nome, whatsapp, telefone }: StudentFields) =>
  campo === 'nome' ? nome : (whatsapp ?? telefone);

/** What changed in a student's account. */
export interface AccountChange {
  whatsapp?: string | null;
  nome?: { antes: string; agora: string };
}

/**
 * The latest value counts; one that was told already is not asked about again, and one that the register has is not asked about.
 * Nothing for a student who was removed or forgotten.
 */
export function decideTell(
  state: ToldContactState,
  register: StudentState,
  { whatsapp, nome }: AccountChange,
): ToldContactEvent[] {
  if (register.status === 'unknown' || register.status === 'removed' || register.nome === null) return [];
  const told = {
    ...(whatsapp !== undefined && { whatsapp }),
    ...(nome && { nome: isTheirs(register.nome, nome) ? nome.agora : null }),
  };
  const changed = Object.entries(told).flatMap(([field, said]) => {
    const campo = field as ToldField;
    const asked = said === registered(campo, register) ? null : said;
    return asked === (state[campo]?.valor ?? null) ? [] : [[campo, asked] as const];
  });
  if (changed.length === 0) return [];
  const { student_id } = register;
  return [{ type: 'ContactTold', data: { student_id, ...Object.fromEntries(changed) } }];
}

/** Whether an account's name is that of the student: a parent's account has the parent's. */
function isTheirs(registeredName: string, { antes, agora }: { antes: string; agora: string }): boolean {
  const first = (name: string) => searchable(name).split(' ')[0];
  return [antes, agora].some((name) => first(name) === first(registeredName));
}

interface Answered {
  told: ToldContactEvent[];
  /** The change of the register, if it takes one. */
  register?: StudentChanges;
}

/** What an account says once it is a student's. Of the name, nothing where each of its words is in the register's: that is fuller. */
export function saidOnJoining(
  register: StudentState,
  { nome, telefone }: { nome: string; telefone: string | null },
): AccountChange {
  const words = (name: string) => searchable(name).split(' ');
  const known = register.status === 'unknown' || register.nome === null ? [] : words(register.nome);
  const isNew = words(nome).some((word) => !known.includes(word));
  return { whatsapp: telefone, ...(isNew && { nome: { antes: nome, agora: nome } }) };
}

/** @throws Problem 409 where the student has told something else since */
export function decideAnswer(
  state: ToldContactState,
  { student_id, nome, whatsapp, telefone }: ExistingStudent,
  { campo, valor, resposta }: ToldAnswer,
): Answered {
  const told = state[campo];
  if (told?.valor !== valor) throw new Problem('told_contacts.changed');
  if (resposta === 'perguntar') {
    if (told.aberto) return { told: [] };
    return {
      told: [{ type: 'ToldContactAskedAgain', data: { student_id, campo } }],
      ...(told.antes && { register: { ...formerly(told.antes), se_ainda: { [campo]: valor } } }),
    };
  }
  if (!told.aberto) return { told: [] };
  if (resposta === 'manter') return { told: [{ type: 'ToldContactDismissed', data: { student_id, campo } }] };
  const antes = campo === 'nome' ? { nome } : { whatsapp, telefone };
  return {
    told: [{ type: 'ToldContactTaken', data: { student_id, campo, antes } }],
    register: { [campo]: valor },
  };
}

const formerly = ({ nome, whatsapp, telefone }: Before): StudentChanges => ({
  ...(nome && { nome }),
  ...(whatsapp !== undefined && { whatsapp }),
  ...(telefone && { telefone }),
});
