import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import type { Offered } from '../services/service.js';
import { defaultSettings, type LinkChange, type LinkSettings } from './public-link.api.js';

export type PublicLinkEvent =
  /** Earlier ones say nothing of `cref`, `primeira_aula` and what is asked before the class. */
  | { type: 'PublicLinkSet'; data: LinkSettings }
  | { type: 'PublicSlugChanged'; data: { slug: string | null } }
  /** Bookings with the student's phone are refused as if the time were taken. */
  | { type: 'VisitorBlocked'; data: { student_id: string } }
  | { type: 'VisitorUnblocked'; data: { student_id: string } };

export interface PublicLinkState extends LinkSettings {
  /** Students whose phones cannot book. */
  bloqueados: string[];
}

/** Settings of a trainer's public page; the stream's id is the tenant's. */
export const publicLink: Aggregate<PublicLinkState, PublicLinkEvent> = {
  name: 'public-link',
  initialState: { ...defaultSettings, bloqueados: [] },
  evolve(state, { type, data }) {
    switch (type) {
      case 'PublicLinkSet':
        return { ...state, ...data };
      case 'PublicSlugChanged':
        return state;
      case 'VisitorBlocked':
        return { ...state, bloqueados: [...state.bloqueados, data.student_id] };
      case 'VisitorUnblocked':
        return { ...state, bloqueados: state.bloqueados.filter((id) => id !== data.student_id) };
    }
  },
  events: {
    PublicLinkSet: {
      schemaVersion: 1,
      personal: { person: (_data, tenantId) => tenantId, fields: ['texto', 'cref', 'whatsapp'] },
    },
    PublicSlugChanged: {
      schemaVersion: 1,
      personal: { person: (_data, tenantId) => tenantId, fields: ['slug'] },
    },
    VisitorBlocked: { schemaVersion: 1, uses: 'nothing new' },
    VisitorUnblocked: { schemaVersion: 1, uses: 'nothing new' },
  },
};

export function decideSet(state: PublicLinkState, { se_ainda, ...wanted }: LinkChange): PublicLinkEvent[] {
  refuseChanged('As configurações', state, se_ainda);
  const isSame = Object.keys(changedFields<LinkSettings>(state, wanted)).length === 0;
  return isSame ? [] : [{ type: 'PublicLinkSet', data: wanted }];
}

export function decideBlock(
  { bloqueados }: PublicLinkState,
  student_id: string,
  bloqueado: boolean,
): PublicLinkEvent[] {
  if (bloqueados.includes(student_id) === bloqueado) return [];
  return [{ type: bloqueado ? 'VisitorBlocked' : 'VisitorUnblocked', data: { student_id } }];
}

/** What visitors book where no service is offered on the page. */
export const plainClass = ({ duracao_min, primeira_aula }: LinkSettings): Offered => ({
  id: null,
  nome: null,
  duracao_min,
  valor: primeira_aula,
  usa_credito: true,
  cor: null,
  locais: null,
  endereco: null,
});

/** Whether the page shows a location: it is active, and the trainer has not excluded it. */
export const showsLocation = (
  { locais }: Pick<LinkSettings, 'locais'>,
  { id, is_active }: { id: string; is_active: boolean },
): boolean => is_active && (locais === null || locais.includes(id));
