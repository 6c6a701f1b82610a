import { Button } from '@mantine/core';
import type { WaitingPerson } from '../../../../backend/modules/public-link/waitlist.api.js';
import { useSendTo } from '../../lib/command.js';
import { formatDay, formatMoment } from '../../lib/dates.js';
import { onceOpened } from '../../ui/open-whatsapp.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';
import { BlockButton } from './block-button.js';
import classes from './public-link.module.css';
import { useWaitlist } from './public-link.queries.js';
import { useSendingOffer } from './waiting-offers.js';

const parts = { manha: 'manhã', tarde: 'tarde', noite: 'noite' };

/** The waitlist, in the order of offers; renders nothing if it is empty. */
export function WaitingList() {
  const { data } = useWaitlist();
  if (!data || data.items.length === 0) return null;
  return (
    <Section title="Lista de espera">
      <Quiet size="sm">
        Quando abre um horário que serve, a primeira pessoa da fila recebe a oferta por e-mail; sem e-mail,
        você envia pelo WhatsApp, e o prazo conta do envio. Sem resposta a tempo, passa para a próxima.
      </Quiet>
      <Card flush>
        {data.items.map((person) => (
          <WaitingRow key={person.id} person={person} />
        ))}
      </Card>
    </Section>
  );
}

function WaitingRow({ person }: { person: WaitingPerson }) {
  const {
    id,
    student_id,
    nome,
    aluno,
    de,
    ate,
    periodos,
    servico_nome,
    location_nome,
    pulado,
    por_email,
    oferta,
  } = person;
  const zone = useZone();
  const skip = useSendTo('PUT /waitlist/:id/skip');
  const send = useSendingOffer(person);
  const who = aluno ?? nome ?? 'Aluno apagado';
  const today = useToday();
  const days = de === ate ? formatDay(de, today) : `${formatDay(de, today)} a ${formatDay(ate, today)}`;
  const facts = [days, periodos.map((part) => parts[part]).join(', '), servico_nome, location_nome];

  const onSkip = (isSkipped: boolean) =>
    attempt(async () => {
      await skip.mutateAsync({ id, pulado: isSkipped });
      toast.success(isSkipped ? `${who} não recebe ofertas` : `${who} voltou para a fila`, {
        undo: () => attempt(() => skip.mutateAsync({ id, pulado: !isSkipped }), 'Erro ao desfazer'),
        undone: isSkipped ? `${who} voltou para a fila` : `${who} não recebe ofertas`,
      });
    }, 'Erro ao mudar a fila');

  return (
    <div className={classes.visit}>
      <Row
        title={who}
        {...(aluno !== null && { to: `/alunos/${student_id}` })}
        facts={facts.filter(Boolean).join(' · ')}
        trail={pulado ? <Tag>Sem ofertas</Tag> : oferta && <Tag>Com oferta</Tag>}
        actions={<BlockButton studentId={student_id} who={who} />}
      />
      <div className={classes.answers}>
        {oferta && (
          <Quiet size="sm">
            {`${formatMoment(oferta.inicio, zone)}, reservado até ${formatMoment(oferta.ate, zone)}${oferta.enviada || por_email ? '' : ' se você enviar agora'}. `}
            {oferta.enviada
              ? 'Você enviou a oferta pelo WhatsApp.'
              : por_email
                ? 'A oferta foi por e-mail.'
                : 'A oferta não foi por e-mail: avise pelo WhatsApp.'}
          </Quiet>
        )}
        {oferta?.link && (
          <a
            className={classes.message}
            href={oferta.link}
            target="_blank"
            rel="noreferrer"
            onClick={onceOpened(send)}
          >
            Enviar a oferta no WhatsApp
          </a>
        )}
        <Button variant="default" onClick={() => void onSkip(!pulado)} loading={skip.isPending}>
          {pulado ? 'Voltar para a fila' : 'Pular'}
        </Button>
      </div>
    </div>
  );
}
