import type { ContractKind, RequestState } from '../../../../backend/modules/contracts/contracts.api.js';
import type { Tone } from '../../ui/tag.js';

export const kinds: Readonly<Record<ContractKind, string>> = {
  termo_personal: 'Termo do personal',
  termo_aluno: 'Termo do aluno',
};

/** For the trainer. */
export const states: Readonly<Record<RequestState, { word: string; tone: Tone }>> = {
  enviado: { word: 'Enviado', tone: 'neutral' },
  aberto: { word: 'Aberto', tone: 'accent' },
  assinado: { word: 'Assinado', tone: 'good' },
  sem_responsavel: { word: 'Falta o responsável', tone: 'bad' },
  recusado: { word: 'Recusado', tone: 'bad' },
  expirado: { word: 'Expirado', tone: 'warn' },
  cancelado: { word: 'Cancelado', tone: 'neutral' },
  substituido: { word: 'Substituído', tone: 'neutral' },
  inativo: { word: 'Inativo', tone: 'neutral' },
  desistido: { word: 'Desistiu', tone: 'warn' },
};

export const isToSign = (estado: RequestState): boolean => estado === 'enviado' || estado === 'aberto';

/** For the student. */
export const ownState = (estado: RequestState): { word: string; tone: Tone } =>
  isToSign(estado) ? { word: 'Aguardando Assinatura', tone: 'warn' } : states[estado];
