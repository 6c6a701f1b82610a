import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Reminder, WithheldMail } from '../../../../backend/modules/reminders/reminders.api.js';
import { useSendTo } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { onceOpened } from '../../ui/open-whatsapp.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { MessageCard } from '../../ui/message-card.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './reminders.module.css';
import { sentWords, useReminders } from './reminders.queries.js';

const waits = ({ enviado_em, confirmado_em, por_email }: Reminder) =>
  enviado_em === null && confirmado_em === null && !por_email;

const reasons: Record<WithheldMail['motivo'], string> = {
  asked: 'Pediu para não receber seus e-mails. Mande pelo WhatsApp.',
  complained: 'Marcou um e-mail seu como spam e não recebe mais. Mande pelo WhatsApp.',
  bounced: 'O e-mail voltou. Corrija o e-mail no cadastro ou mande pelo WhatsApp.',
  enough: 'Já recebeu muitos e-mails seus no dia. Mande pelo WhatsApp.',
  allowance: 'Você chegou ao limite de e-mails do dia. Mande pelo WhatsApp.',
  failed: 'O e-mail não foi aceito pelo servidor, ou o endereço mudou antes do envio. Mande pelo WhatsApp.',
};

const things: Record<NonNullable<WithheldMail['coisa']>, string> = {
  aula: 'Lembrete de sessão',
  cobranca: 'Lembrete de cobrança',
  contrato: 'Contrato',
  codigo: 'Código de assinatura',
  creditos: 'Aviso de créditos',
  espera: 'Lista de espera',
  notificacao: 'Notificação',
  recibo: 'Recibo',
  reserva: 'Reserva',
};

/** Reminders of future sessions: first those to send, prepared for WhatsApp. `others`: other kinds of reminders. */
export default function RemindersPanel({ others }: { others: ReactNode }) {
  return (
    <div className={classes.panel}>
      <Quiet>
        Na véspera, às 18:00, cada sessão ganha um lembrete com um link de confirmação. Quem tem e-mail no
        cadastro recebe por e-mail; para os outros, a mensagem fica pronta aqui.
      </Quiet>
      <Async of={useReminders()} skeleton={<Skeletons count={3} height={120} />}>
        {({ items, retidos }) => {
          const [waiting, told] = [items.filter(waits), items.filter((each) => !waits(each))];
          if (items.length + retidos.length === 0)
            return others || <Notice icon="check" title="Nenhum lembrete para enviar" />;
          return (
            <>
              {waiting.length > 0 && (
                <Section title="Para enviar">
                  {waiting.map((reminder) => (
                    <Message key={reminder.id} reminder={reminder} />
                  ))}
                </Section>
              )}
              {others}
              {retidos.length > 0 && (
                <Section title="E-mails não enviados">
                  <Card flush>
                    {retidos.map(({ student_id, nome, coisa, motivo }) => (
                      <Row
                        key={[student_id, coisa, motivo].join()}
                        to={`/alunos/${student_id}`}
                        title={coisa === null ? nome : `${nome} · ${things[coisa]}`}
                        facts={reasons[motivo]}
                      />
                    ))}
                  </Card>
                </Section>
              )}
              {told.length > 0 && (
                <Section title="Já avisados">
                  <Card flush>
                    {told.map((reminder) => (
                      <Told key={reminder.id} reminder={reminder} />
                    ))}
                  </Card>
                </Section>
              )}
            </>
          );
        }}
      </Async>
    </div>
  );
}

function useSending({ id, student_nome }: Reminder) {
  const { mutateAsync: markSent } = useSendTo('POST /reminders/:id/sent');
  const { mutateAsync: markUnsent } = useSendTo('POST /reminders/:id/unsent');
  const unmark = () => attempt(() => markUnsent(id), 'Erro ao desfazer');
  const mark = () =>
    attempt(async () => {
      await markSent(id);
      toast.success('Lembrete enviado', {
        description: student_nome,
        undo: unmark,
        undone: 'Envio desfeito',
      });
    }, 'Erro ao marcar o lembrete');
  return { mark, unmark };
}

function Message({ reminder }: { reminder: Reminder }) {
  const zone = useZone();
  const { mark } = useSending(reminder);
  const { student_id, student_nome, inicio, texto, link, whatsapp } = reminder;
  const when = formatMoment(inicio, zone);
  return (
    <MessageCard
      name={student_nome}
      to={`/alunos/${student_id}`}
      fact={whatsapp ? `${when}. ${sentWords(whatsapp, zone)}` : when}
      text={texto}
      link={link}
      onOpen={() => void mark()}
    />
  );
}

function Told({ reminder }: { reminder: Reminder }) {
  const zone = useZone();
  const { mark, unmark } = useSending(reminder);
  const { student_id, student_nome, inicio, confirmado_em, enviado_em, link, whatsapp } = reminder;
  const when = formatMoment(inicio, zone);
  const how = enviado_em === null ? 'por e-mail' : 'pelo WhatsApp';
  return (
    <Row
      to={`/alunos/${student_id}`}
      title={student_nome}
      facts={whatsapp ? `${when} · ${sentWords(whatsapp, zone)}` : when}
      trail={confirmado_em === null ? <Tag>{`Lembrete ${how}`}</Tag> : <Tag tone="good">Confirmou</Tag>}
      actions={
        confirmado_em !== null || (whatsapp && enviado_em !== null) ? undefined : enviado_em === null ? (
          link && (
            <Button
              component="a"
              size="sm"
              variant="subtle"
              href={link}
              target="_blank"
              rel="noreferrer"
              onClick={onceOpened(() => void mark())}
              aria-label={`Enviar também pelo WhatsApp: ${student_nome}`}
            >
              WhatsApp
            </Button>
          )
        ) : (
          <Button
            size="sm"
            variant="subtle"
            onClick={() => void unmark()}
            aria-label={`Desfazer o envio: ${student_nome}`}
          >
            Desfazer
          </Button>
        )
      }
    />
  );
}
