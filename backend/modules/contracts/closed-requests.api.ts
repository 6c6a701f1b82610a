import type { contractErrors, RequestState } from './contracts.api.js';

interface Closing {
  code: keyof typeof contractErrors;
  title: string;
  /** What the student can do. */
  way: string;
}

/** Why a contract can no longer be signed by a link, in the words for its student. */
export const closings = {
  expirado: {
    code: 'contracts.expired',
    title: 'O prazo para assinar expirou',
    way: 'Peça um novo link ao seu personal.',
  },
  cancelado: {
    code: 'contracts.revoked',
    title: 'Este link foi cancelado',
    way: 'Peça um novo link ao seu personal.',
  },
  substituido: {
    code: 'contracts.superseded',
    title: 'Este link foi substituído por outro',
    way: 'Seu personal enviou o contrato de novo: abra o envio mais recente.',
  },
  inativo: {
    code: 'contracts.inactive',
    title: 'Seu personal inativou este contrato',
    way: 'Ele não recebe mais assinaturas. Em caso de dúvida, fale com seu personal.',
  },
  recusado: {
    code: 'contracts.declined',
    title: 'Este contrato foi recusado',
    way: 'Para assinar, peça ao seu personal que envie de novo.',
  },
  desistido: {
    code: 'contracts.withdrawn',
    title: 'Houve desistência deste contrato',
    way: 'A assinatura deixou de valer. Para assinar outra vez, peça ao seu personal que envie de novo.',
  },
  sem_responsavel: {
    code: 'contracts.already_signed',
    title: 'Falta a assinatura do responsável',
    way: 'Quem assinou tinha menos de 18 anos. Seu personal envia o contrato de novo, para o responsável assinar.',
  },
  assinado: {
    code: 'contracts.already_signed',
    title: 'Este contrato já foi assinado',
    way: 'Abra o link de novo para ver a assinatura.',
  },
} as const satisfies Partial<Record<RequestState, Closing>>;

export type ClosedState = keyof typeof closings;
