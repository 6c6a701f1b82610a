import type { HistoryWords } from '../../platform/event-store/history.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import type { CodeEnd, ProviderCodeEvent } from './provider-code.js';
import type { ProviderConnectionEvent } from './provider-connection.js';

type CodeOf<Type extends ProviderCodeEvent['type']> = Extract<ProviderCodeEvent, { type: Type }>['data'];

const settings = (_data: never, tenantId: string) => [`pixkey:${tenantId}`];
const ofCharge = ({ charge_id }: { charge_id: string }) => [`charge:${charge_id}`];
const ends: Record<CodeEnd, string> = {
  paga: 'O código Pix do provedor foi pago',
  removida: 'Removeu o código Pix do provedor',
  abandonada: 'Deixou de usar o código Pix do provedor, que foi desconectado ou trocado',
};

export const pixProviderHistory: HistoryWords<ProviderConnectionEvent | ProviderCodeEvent> = {
  PixProviderConnected: {
    subjects: settings,
    words: () => 'Conectou um provedor para o recebimento automático',
  },
  PixProviderDisconnected: {
    subjects: settings,
    words: () => 'Desconectou o provedor do recebimento automático',
  },
  PixCodeMade: {
    subjects: ofCharge,
    words: ({ valor }: CodeOf<'PixCodeMade'>) => `Criou no provedor o código Pix de ${brl(valor)}`,
  },
  PixCodeRevised: {
    subjects: ofCharge,
    words: ({ valor, vencimento }: CodeOf<'PixCodeRevised'>) =>
      `Atualizou no provedor o código Pix: ${brl(valor)}, com vencimento em ${shortDate(vencimento)}`,
  },
  PixCodeEnded: { subjects: ofCharge, words: ({ motivo }: CodeOf<'PixCodeEnded'>) => ends[motivo] },
};
