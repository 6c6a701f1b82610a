import type {
  ContractKind,
  RequestState,
  Sent,
} from '../../../../backend/modules/contracts/contracts.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
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

/** The result of a sending. `isSent`: whether anybody got it. */
export function sentInWords({ enviados, ja_assinados, sem_email, retidos, retido_por }: Omit<Sent, 'id'>): {
  title: string;
  description: string | undefined;
  isSent: boolean;
} {
  const unmailed = sem_email + retidos;
  const mailed = enviados - unmailed;
  const left = [
    sem_email > 0 && `${sem_email} sem e-mail`,
    retidos > 0 && `${plural(retidos, 'e-mail não enviado', 'e-mails não enviados')}`,
  ]
    .filter((each) => each !== false)
    .join(' · ');
  const title =
    enviados === 0
      ? 'Todos já assinaram'
      : unmailed === 0
        ? `Enviado para ${plural(enviados, 'aluno', 'alunos')}`
        : mailed === 0
          ? `Nenhum e-mail enviado: ${left}`
          : `${plural(mailed, 'enviado', 'enviados')} · ${left}`;
  const notes = [
    sem_email > 0 && 'A quem não tem e-mail, envie pelo WhatsApp: o link está em Assinaturas.',
    retidos === 1 && `${retido_por} O link está em Assinaturas.`,
    retidos > 1 &&
      'O e-mail já foi enviado há menos de 1 hora, o limite do dia foi atingido, ou a pessoa não quer recebê-los: mande pelo WhatsApp, o link está em Assinaturas.',
    enviados > 0 && ja_assinados > 0 && `${plural(ja_assinados, 'já assinou', 'já assinaram')}.`,
  ].filter((note) => note !== false);
  return { title, description: notes.join(' ') || undefined, isSent: mailed > 0 };
}
