import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import type { ClassSettings } from './classes.api.js';

export type ClassEvent =
  /** All settings; `session_id`: the session through which they were set, `em`: when. */
  | { type: 'ClassSet'; data: { class_id: string; session_id: string; em: string } & ClassSettings }
  /** Whether an hour takes place, decided once. `session_ids`: the scheduled sessions then, which are cancelled where it does not. */
  | {
      type: 'ClassDecided';
      data: {
        class_id: string;
        grupo_id: string;
        inicio: string;
        session_ids: string[];
        minimo: number;
        acontece: boolean;
      };
    };

/** `nome` is null once the trainer is forgotten. */
export interface OpenClass extends Omit<ClassSettings, 'nome'> {
  class_id: string;
  nome: string | null;
  em: string;
  /** The groups of the last hours that were decided, and of those that were cancelled by that. */
  decididas: string[];
  desmarcadas: string[];
}

export type ClassState = OpenClass | undefined;

/** More than can be decided in the days before their start. */
const REMEMBERED = 50;

/**
 * Hours that students may enter by themselves. The stream's id is the group of one hour, or the `turma_id` that weekly hours have in
 * common.
 */
export const openClass: Aggregate<ClassState, ClassEvent> = {
  name: 'class',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'ClassSet': {
        const { session_id: _, ...set } = data;
        return { ...set, decididas: state?.decididas ?? [], desmarcadas: state?.desmarcadas ?? [] };
      }
      case 'ClassDecided': {
        if (!state) return undefined;
        const and = (groups: string[]) => [...groups, data.grupo_id].slice(-REMEMBERED);
        const { decididas, desmarcadas } = state;
        return {
          ...state,
          decididas: and(decididas),
          desmarcadas: data.acontece ? desmarcadas : and(desmarcadas),
        };
      }
    }
  },
  events: {
    ClassSet: { schemaVersion: 1, personal: { person: (_data, tenantId) => tenantId, fields: ['nome'] } },
    ClassDecided: { schemaVersion: 1 },
  },
};

export function decideSet(
  state: ClassState,
  wanted: ClassSettings,
  { se_ainda, ...about }: { class_id: string; session_id: string; em: string; se_ainda?: object | undefined },
): ClassEvent[] {
  refuseChanged('A turma', state ?? {}, se_ainda ?? {});
  const isSame = state && Object.keys(changedFields<object>(state, wanted)).length === 0;
  return isSame ? [] : [{ type: 'ClassSet', data: { ...about, ...wanted } }];
}

type ClassDecided = Extract<ClassEvent, { type: 'ClassDecided' }>;

interface Hour {
  grupo_id: string;
  inicio: string;
  /** Those that are scheduled. */
  session_ids: string[];
  /** When one of them was last moved. */
  moved?: Date | null;
}

const HOUR_MS = 3_600_000;

/** Whether students may still enter. */
export const isInTime = ({ ate_horas }: OpenClass, { inicio }: { inicio: string }, now: Date): boolean =>
  Date.parse(inicio) - now.getTime() > 0 && Date.parse(inicio) - now.getTime() >= ate_horas * HOUR_MS;

/** No event before the time of the decision, after it, without a minimum, or where the minimum was set, or the hour moved, later than that time. */
export function decideMinimum(state: OpenClass, { moved, ...hour }: Hour, now: Date): ClassDecided[] {
  const { class_id, minimo_alunos: minimo, minimo_horas, em, decididas } = state;
  const due = Date.parse(hour.inicio) - minimo_horas * HOUR_MS;
  const isDue =
    due <= now.getTime() &&
    Date.parse(hour.inicio) > now.getTime() &&
    due >= Math.max(Date.parse(em), moved?.getTime() ?? 0);
  if (minimo === null || !isDue || hour.session_ids.length === 0 || decididas.includes(hour.grupo_id))
    return [];
  const acontece = hour.session_ids.length >= minimo;
  return [{ type: 'ClassDecided', data: { class_id, ...hour, minimo, acontece } }];
}
