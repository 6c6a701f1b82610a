import type { WaitingPerson } from '../../../../backend/modules/public-link/waitlist.api.js';
import { useSendTo } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { MessageCard } from '../../ui/message-card.js';
import { Section } from '../../ui/page.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { useWaitlist } from './public-link.queries.js';

type Offered = WaitingPerson & { oferta: NonNullable<WaitingPerson['oferta']> };

/** Offers that the person was not told of: there is no e-mail address, and the trainer has not sent a message. */
export const useOffersToSend = (): Offered[] =>
  (useWaitlist().data?.items ?? []).filter(
    (person): person is Offered => person.oferta !== null && !person.por_email && !person.oferta.enviada,
  );

/** Records that the trainer opened WhatsApp with the offer. */
export function useSendingOffer({ id, nome, aluno, oferta }: WaitingPerson): () => void {
  const { mutateAsync } = useSendTo('PUT /waitlist/:id/sent');
  const mark = (enviada: boolean) => mutateAsync({ id, oferta: oferta!.numero, enviada });
  return () =>
    void attempt(async () => {
      await mark(true);
      toast.success('Oferta enviada', {
        description: aluno ?? nome ?? '',
        ...takenBack(() => mark(false), 'Envio desfeito'),
      });
    }, 'Erro ao marcar a oferta');
}

/** Each offer ready for WhatsApp; once opened, it leaves the list. */
export function WaitingOffers({ items }: { items: readonly Offered[] }) {
  return (
    <Section title="Ofertas da lista de espera">
      {items.map((person) => (
        <Message key={person.id} person={person} />
      ))}
    </Section>
  );
}

function Message({ person }: { person: Offered }) {
  const zone = useZone();
  const send = useSendingOffer(person);
  const { nome, aluno, oferta } = person;
  return (
    <MessageCard
      name={aluno ?? nome ?? 'Aluno apagado'}
      fact={formatMoment(oferta.inicio, zone)}
      text={oferta.texto}
      link={oferta.link}
      onOpen={send}
    />
  );
}
