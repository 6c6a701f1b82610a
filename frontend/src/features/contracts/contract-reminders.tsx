import type { ContractReminders as Answer } from '../../../../backend/modules/contracts/contracts.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { MessageCard } from '../../ui/message-card.js';
import { Section } from '../../ui/page.js';
import { attempt, toast } from '../../ui/toast.js';
import { useRemindSigner } from './contracts.queries.js';

/** Students who have not signed, each with a message prepared for WhatsApp; once opened, it leaves the list. */
export function ContractReminders({ items }: { items: Answer['items'] }) {
  const zone = useZone();
  const { mutateAsync } = useRemindSigner();
  const note = (id: string) =>
    void attempt(async () => {
      await mutateAsync({ id, canal: 'link' });
      toast.success('Lembrete aberto no WhatsApp', { description: 'Ficou anotado no histórico.' });
    }, 'Erro ao anotar o lembrete');
  return (
    <Section title="Contratos sem assinatura">
      {items.map(({ id, student_nome, expires_at, texto, whatsapp }) => (
        <MessageCard
          key={id}
          name={student_nome}
          fact={`expira ${formatMoment(expires_at, zone)}`}
          text={texto}
          link={whatsapp}
          onOpen={() => note(id)}
        />
      ))}
    </Section>
  );
}
