import { Button } from '@mantine/core';
import type { ExpiryWarning } from '../../../../backend/modules/expiry-warnings/expiry-warnings.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useAnswer } from '../../lib/answer.js';
import { write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { formatDay } from '../../lib/dates.js';
import { reads } from '../../lib/topics.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { MessageCard } from '../../ui/message-card.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';

const WARNINGS = reads('expiry-warnings', ['credits', 'students']);

export const useExpiryWarnings = () => useAnswer([WARNINGS], 'GET /expiry-warnings');

const useMark = () =>
  useCommand({
    send: ({ id, to }: { id: string; to: 'sent' | 'unsent' }, key) =>
      write(`POST /expiry-warnings/:id/${to}`, key, { of: [id] }),
  });

/** Expiry warnings: those to send, prepared for WhatsApp, and the sent ones. */
export function ExpiryWarnings({ items }: { items: readonly ExpiryWarning[] }) {
  const isTold = ({ enviado_em, por_email }: ExpiryWarning) => enviado_em !== null || por_email;
  const told = items.filter(isTold);
  return (
    <Section title="Créditos vencendo">
      {items
        .filter((warning) => !isTold(warning))
        .map((warning) => (
          <Message key={warning.id} warning={warning} />
        ))}
      {told.length > 0 && (
        <Card flush>
          {told.map((warning) => (
            <Told key={warning.id} warning={warning} />
          ))}
        </Card>
      )}
    </Section>
  );
}

function useSending({ id, student_nome }: ExpiryWarning) {
  const { mutateAsync } = useMark();
  const unmark = () => attempt(() => mutateAsync({ id, to: 'unsent' }), 'Erro ao desfazer');
  const mark = () =>
    attempt(async () => {
      await mutateAsync({ id, to: 'sent' });
      toast.success('Aviso enviado', { description: student_nome, undo: unmark, undone: 'Envio desfeito' });
    }, 'Erro ao marcar o aviso');
  return { mark: () => void mark(), unmark: () => void unmark() };
}

const useWhat = ({ creditos, expira_em }: ExpiryWarning): string =>
  `${plural(creditos, 'crédito vence', 'créditos vencem')} ${formatDay(expira_em, useToday())}`;

function Message({ warning }: { warning: ExpiryWarning }) {
  const { mark } = useSending(warning);
  const { student_nome, texto, link } = warning;
  return <MessageCard name={student_nome} fact={useWhat(warning)} text={texto} link={link} onOpen={mark} />;
}

function Told({ warning }: { warning: ExpiryWarning }) {
  const { unmark } = useSending(warning);
  const { student_nome, enviado_em } = warning;
  return (
    <Row
      title={student_nome}
      facts={useWhat(warning)}
      trail={<Tag>{`Aviso ${enviado_em === null ? 'por e-mail' : 'pelo WhatsApp'}`}</Tag>}
      actions={
        enviado_em !== null && (
          <Button
            size="sm"
            variant="subtle"
            onClick={unmark}
            aria-label={`Desfazer o envio: ${student_nome}`}
          >
            Desfazer
          </Button>
        )
      }
    />
  );
}
