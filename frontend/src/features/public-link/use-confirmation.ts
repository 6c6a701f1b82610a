import type { Visit } from '../../../../backend/modules/public-link/public-link.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { attempt, toast } from '../../ui/toast.js';
import { whatsAppAddress } from '../../../../backend/platform/whatsapp.api.js';
import { useConfirmVisit } from './public-link.queries.js';

export const messageTo = (visit: Pick<Visit, 'whatsapp'>, text: string) =>
  visit.whatsapp && whatsAppAddress(visit.whatsapp, text);

/** Whom a booking is for. */
export const whoIn = ({ aluno, nome }: Pick<Visit, 'aluno' | 'nome'>): string =>
  aluno ?? nome ?? 'Aluno apagado';

const firstOf = (visit: Visit) => whoIn(visit).split(' ')[0];

/** Proposes another time. */
export const insteadOf = (visit: Visit, zone: string): string =>
  `Oi, ${firstOf(visit)}! Não consigo te atender em ${formatMoment(visit.inicio, zone)}. Vamos agendar outro horário?`;

/** Confirms a visitor's booking, and offers to tell the visitor. */
export function useConfirmation(visit: Visit) {
  const { id, inicio } = visit;
  const { mutateAsync, isPending } = useConfirmVisit();
  const when = formatMoment(inicio, useZone());
  const first = firstOf(visit);
  const href = messageTo(visit, `Oi, ${first}! Sua aula de ${when} está confirmada. Até lá!`);

  const confirm = () =>
    void attempt(async () => {
      await mutateAsync(id);
      toast.success('Reserva confirmada', {
        description: `${whoIn(visit)}, ${when}`,
        tell: href ? [{ label: `Avisar ${first}`, href }] : [],
      });
    }, 'Erro ao confirmar');
  return { confirm, isConfirming: isPending };
}
