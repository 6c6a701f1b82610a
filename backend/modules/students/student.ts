import {
  type Aggregate,
  changedFields,
  type PersonalFields,
  refuseChanged,
} from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { NewStudent, StudentChanges } from './students.api.js';

/** Fields of a student; text is null once the person is forgotten. */
export interface StudentFields {
  nome: string | null;
  telefone: string | null;
  whatsapp: string | null;
  email: string | null;
  plano_id: string | null;
  observacoes: string | null;
}

/** Optional details; each null until it is entered, and once the person is forgotten. */
export interface StudentDetails {
  cpf: string | null;
  nascimento: string | null;
  emergencia_nome: string | null;
  emergencia_telefone: string | null;
  emergencia_relacao: string | null;
  responsavel_nome: string | null;
  responsavel_telefone: string | null;
}

const noDetails: StudentDetails = {
  cpf: null,
  nascimento: null,
  emergencia_nome: null,
  emergencia_telefone: null,
  emergencia_relacao: null,
  responsavel_nome: null,
  responsavel_telefone: null,
};
const detailNames = Object.keys(noDetails) as (keyof StudentDetails)[];

export type StudentEvent =
  | { type: 'StudentRegistered'; data: { student_id: string } & StudentFields }
  /** Only what changed. */
  | { type: 'StudentUpdated'; data: { student_id: string } & Partial<StudentFields> }
  /** Only what changed; without an earlier event all details are null. */
  | { type: 'StudentDetailsChanged'; data: { student_id: string } & Partial<StudentDetails> }
  /** All of the student's tags, in the order in which they were given; null once the person is forgotten. */
  | { type: 'StudentTagged'; data: { student_id: string; etiquetas: (string | null)[] } }
  | { type: 'StudentArchived'; data: { student_id: string } }
  | { type: 'StudentRemoved'; data: { student_id: string } }
  /** Archived or removed before; `plano_id` is the plan from now on. */
  | { type: 'StudentRestored'; data: { student_id: string; plano_id: string | null } }
  /** A second record of somebody: all that was theirs is now with the student `em`. */
  | { type: 'StudentMerged'; data: { student_id: string; em: string; juncao_id: string } }
  | {
      type: 'StudentUnmerged';
      data: { student_id: string; juncao_id: string; plano_id: string | null; inativo: boolean };
    };

export type StudentState =
  | { status: 'unknown' }
  | ({
      status: 'active' | 'archived' | 'removed';
      student_id: string;
      etiquetas: string[];
      /** The student into whom a removed one was merged. */
      juntado_em: string | null;
      /** The merging by which it was. */
      juncao_id: string | null;
    } & StudentFields &
      StudentDetails);
export type ExistingStudent = Exclude<StudentState, { status: 'unknown' }>;

const personal: PersonalFields<{ student_id: string } & Partial<StudentFields>> = {
  person: ({ student_id }) => student_id,
  fields: ['nome', 'telefone', 'whatsapp', 'email', 'observacoes'],
};

const usesNow = ({ plano_id }: { plano_id?: string | null }) => ({ plan: plano_id });

export const student: Aggregate<StudentState, StudentEvent> = {
  name: 'student',
  initialState: { status: 'unknown' },
  evolve(state, { type, data }) {
    if (type === 'StudentRegistered')
      return { status: 'active', etiquetas: [], juntado_em: null, juncao_id: null, ...noDetails, ...data };
    if (state.status === 'unknown') return state;
    switch (type) {
      case 'StudentUpdated':
      case 'StudentDetailsChanged':
        return { ...state, ...data };
      case 'StudentTagged':
        return { ...state, etiquetas: data.etiquetas.filter((tag) => tag !== null) };
      case 'StudentArchived':
        return { ...state, status: 'archived' };
      case 'StudentRemoved':
        return { ...state, status: 'removed' };
      case 'StudentRestored':
        return { ...state, ...data, status: 'active' };
      case 'StudentMerged':
        return { ...state, status: 'removed', juntado_em: data.em, juncao_id: data.juncao_id };
      case 'StudentUnmerged': {
        const { plano_id, inativo } = data;
        const status = inativo ? 'archived' : 'active';
        return { ...state, plano_id, status, juntado_em: null, juncao_id: null };
      }
    }
  },
  events: {
    StudentRegistered: { schemaVersion: 1, personal, usesNow },
    StudentUpdated: { schemaVersion: 1, personal, usesNow },
    StudentDetailsChanged: {
      schemaVersion: 1,
      personal: { person: ({ student_id }) => student_id, fields: detailNames },
    },
    StudentTagged: {
      schemaVersion: 1,
      personal: { person: ({ student_id }) => student_id, fields: ['etiquetas[]'] },
    },
    StudentArchived: { schemaVersion: 1 },
    StudentRemoved: { schemaVersion: 1, usesNow: () => ({ plan: null }) },
    StudentRestored: { schemaVersion: 1, usesNow },
    StudentMerged: { schemaVersion: 1, usesNow: () => ({ plan: null }) },
    StudentUnmerged: { schemaVersion: 1, usesNow },
  },
};

/** @throws Problem 409 for a forgotten student, of whom only totals are left */
export function refuseForgotten(state: StudentState): void {
  if (state.status !== 'unknown' && state.nome === null) throw new Problem('students.forgotten');
}

/** @throws Problem 409 for a record that was merged into another: what was its own is decided there */
export function refuseMerged(state: StudentState): void {
  if (state.status === 'unknown' || state.juntado_em === null) return;
  throw new Problem('students.merged', { juntado_em: state.juntado_em });
}

/** The student. @throws Problem 404 where it does not exist or was removed, 409 where it was forgotten or merged into another */
export function existingStudent(state: StudentState): ExistingStudent {
  refuseMerged(state);
  if (state.status === 'unknown' || state.status === 'removed') throw new Problem('students.not_found');
  refuseForgotten(state);
  return state;
}

/** A student that new work may refer to. @throws Problem 404 where it is missing, 409 where it is forgotten or archived */
export function activeStudent(state: StudentState): ExistingStudent {
  const existing = existingStudent(state);
  if (existing.status === 'archived') {
    throw new Problem('students.archived', { detail: 'O aluno está inativo. Reative para continuar.' });
  }
  return existing;
}

export function decideRegister(student_id: string, wanted: NewStudent): StudentEvent[] {
  const { nome, telefone, whatsapp, email, plano_id, observacoes } = wanted;
  const only = telefone ?? whatsapp ?? null;
  return [
    {
      type: 'StudentRegistered',
      data: { student_id, nome, telefone: only, whatsapp: whatsapp ?? only, email, plano_id, observacoes },
    },
    ...detailsChanged(student_id, noDetails, wanted),
  ];
}

const isDetail = (name: string) => Object.hasOwn(noDetails, name);

/** The event for changed details; none where none changed. */
function detailsChanged(student_id: string, current: StudentDetails, wanted: StudentChanges): StudentEvent[] {
  const details = Object.fromEntries(Object.entries(wanted).filter(([name]) => isDetail(name)));
  const changes = changedFields<StudentDetails>(current, details);
  return Object.keys(changes).length === 0
    ? []
    : [{ type: 'StudentDetailsChanged', data: { student_id, ...changes } }];
}

/** A student with one number as both phone and WhatsApp keeps one: changing either changes both. */
export function decideUpdate(state: StudentState, { se_ainda, ...changes }: StudentChanges): StudentEvent[] {
  const current = existingStudent(state);
  refuseChanged<StudentFields & StudentDetails>('O aluno', current, se_ainda);
  const { student_id } = current;
  const wanted: Partial<StudentFields> = Object.fromEntries(
    Object.entries(changes).filter(([name]) => !isDetail(name)),
  );
  const number = wanted.telefone ?? wanted.whatsapp;
  const both = current.telefone === current.whatsapp && number !== undefined && number !== null;
  const changed = changedFields<StudentFields>(
    current,
    both ? { telefone: number, whatsapp: number, ...wanted } : wanted,
  );
  const updated: StudentEvent = { type: 'StudentUpdated', data: { student_id, ...changed } };
  return [
    ...(Object.keys(changed).length > 0 ? [updated] : []),
    ...detailsChanged(student_id, current, changes),
  ];
}

/** Sets all tags. */
export function decideTag(state: StudentState, etiquetas: string[]): StudentEvent[] {
  const { student_id, etiquetas: before } = existingStudent(state);
  const isSame = before.length === etiquetas.length && before.every((tag, n) => tag === etiquetas[n]);
  return isSame ? [] : [{ type: 'StudentTagged', data: { student_id, etiquetas } }];
}

export function decideArchive(state: StudentState): StudentEvent[] {
  const { status, student_id } = existingStudent(state);
  return status === 'archived' ? [] : [{ type: 'StudentArchived', data: { student_id } }];
}

/** `inUse`: sessions, credits or transactions refer to the student. */
export function decideRemove(state: StudentState, inUse: boolean): StudentEvent[] {
  const { student_id } = existingStudent(state);
  if (inUse) throw new Problem('students.in_use');
  return [{ type: 'StudentRemoved', data: { student_id } }];
}

/** Undoes an archiving or a removal. A plan that was removed meanwhile (`planExists` false) is not assigned again. */
export function decideRestore(state: StudentState, planExists: boolean): StudentEvent[] {
  if (state.status === 'unknown') throw new Problem('students.not_found');
  refuseMerged(state);
  refuseForgotten(state);
  if (state.status === 'active') return [];
  const plano_id = planExists ? state.plano_id : null;
  return [{ type: 'StudentRestored', data: { student_id: state.student_id, plano_id } }];
}
