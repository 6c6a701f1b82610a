import { stateProjection } from '../../platform/projections/projection.js';
import { toldContact, type ToldContactState } from './told-contact.js';

/** What each student's account told, and whether the trainer is still to answer. */
interface ToldRow {
  whatsapp: string | null;
  whatsapp_aberto: boolean;
  nome: string | null;
  nome_aberto: boolean;
}

const stateOf = (row: ToldRow | undefined): ToldContactState =>
  row
    ? {
        whatsapp: row.whatsapp === null ? null : { valor: row.whatsapp, aberto: row.whatsapp_aberto },
        nome: row.nome === null ? null : { valor: row.nome, aberto: row.nome_aberto },
      }
    : toldContact.initialState;

export const toldContacts = stateProjection(toldContact, {
  name: 'told-contacts',
  topic: 'told-contacts',
  table: 'told_contacts',
  evolve(row: ToldRow | undefined, event): ToldRow {
    const { whatsapp, nome } = toldContact.evolve(stateOf(row), event);
    return {
      whatsapp: whatsapp?.valor ?? null,
      whatsapp_aberto: whatsapp?.aberto ?? false,
      nome: nome?.valor ?? null,
      nome_aberto: nome?.aberto ?? false,
    };
  },
});
