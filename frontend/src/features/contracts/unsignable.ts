import { closings, type ClosedState } from '../../../../backend/modules/contracts/closed-requests.api.js';
import type { RequestState } from '../../../../backend/modules/contracts/contracts.api.js';
import type { IconName } from '../../ui/icon.js';

type Unsignable = Exclude<ClosedState, 'assinado'>;

/** In the words for the trainer, who can send it again. */
const closedForTrainer: Readonly<Record<Unsignable, { title: string; way: string }>> = {
  expirado: {
    title: closings.expirado.title,
    way: 'Envie o contrato de novo para gerar outro link.',
  },
  cancelado: { title: closings.cancelado.title, way: 'Envie o contrato de novo para gerar outro link.' },
  substituido: { title: closings.substituido.title, way: 'O aluno assina pelo envio mais recente.' },
  inativo: { title: 'O contrato está inativo', way: 'Reative o contrato para o aluno poder assinar.' },
  sem_responsavel: {
    title: closings.sem_responsavel.title,
    way: 'Quem assinou tinha menos de 18 anos. Envie o contrato de novo para o responsável assinar.',
  },
  recusado: {
    title: 'O aluno recusou o contrato',
    way: 'Se combinarem outra coisa, envie o contrato de novo.',
  },
  desistido: {
    title: 'O aluno desistiu do contrato',
    way: 'A assinatura deixou de valer. Para o aluno assinar outra vez, envie o contrato de novo.',
  },
};

const icons: Readonly<Record<Unsignable, IconName>> = {
  ...{ expirado: 'clock', cancelado: 'close', substituido: 'link' },
  ...{ inativo: 'archive', sem_responsavel: 'alert', recusado: 'close', desistido: 'alert' },
};

const isUnsignable = (estado: RequestState): estado is Unsignable => estado in icons;

/** Why a contract cannot be signed, and what can be done; null for one that is signed or can be. */
export function unsignable(
  estado: RequestState,
  isTrainer: boolean,
): { title: string; way: string; icon: IconName } | null {
  if (!isUnsignable(estado)) return null;
  const { title, way } = (isTrainer ? closedForTrainer : closings)[estado];
  return { title, way, icon: icons[estado] };
}
