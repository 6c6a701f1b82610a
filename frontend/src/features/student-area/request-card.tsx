import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SessionRequest } from '../../../../backend/modules/student-area/student-area.api.js';
import { useSend } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { useTell } from '../../parts/use-tell.js';
import { Icon } from '../../ui/icon.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { attempt, toast } from '../../ui/toast.js';
import { momentOf, type Now } from '../../parts/booked-message.js';
import { useGrantPreview, useRequestOf } from './requests.queries.js';
import classes from './student-area.module.css';

/** A student's request, its cost, and the buttons to answer it, after which the student can be told. */
export function RequestCard({ request, onAnswered }: { request: SessionRequest; onAnswered?: () => void }) {
  const { id, student_id, motivo, pedido_em, no_prazo, inicio, fim, novo_inicio } = request;
  const zone = useZone();
  const today = useToday();
  const tell = useTell();
  const preview = useGrantPreview(request);
  const [grant, refusal] = [
    useSend('POST /session-requests/:id/grant', id),
    useSend('POST /session-requests/:id/refuse', id),
  ];
  const [reopening, moving] = [useSend('POST /sessions/:id/reopen', id), useSend('PATCH /sessions/:id', id)];
  const [mensagem, setMensagem] = useState('');
  const busy = grant.isPending || refusal.isPending;
  const costs = novo_inicio === null && (preview.data?.tem_custo ?? false);

  const tellOf = (answer: Parameters<typeof answerMessage>[1]) =>
    tell([student_id], (name) => answerMessage(request, answer, name, { today, zone }));
  const takeBack = () =>
    novo_inicio === null ? reopening.mutateAsync({}) : moving.mutateAsync({ inicio, fim });
  const accept = (perdoar: boolean) =>
    attempt(async () => {
      const { data } = preview;
      const previsto = novo_inicio === null && data && (perdoar ? data.perdoado : data.previsto);
      await grant.mutateAsync({ perdoar, ...(previsto && { previsto }) });
      onAnswered?.();
      toast.success('Pedido aceito', {
        description: novo_inicio === null ? 'A sessão foi cancelada.' : 'A sessão foi remarcada.',
        tell: await tellOf('aceito'),
        undo: () => attempt(takeBack, 'Erro ao desfazer'),
        undone: novo_inicio === null ? 'Cancelamento desfeito' : 'Remarcação desfeita',
      });
    }, 'Erro ao aceitar o pedido');
  const refuse = () =>
    attempt(async () => {
      await refusal.mutateAsync({ mensagem: mensagem.trim() || null });
      onAnswered?.();
      toast.success('Pedido recusado', {
        description: 'A sessão continua agendada.',
        tell: await tellOf({ mensagem: mensagem.trim() }),
      });
    }, 'Erro ao recusar o pedido');

  return (
    <section className={classes.request} aria-label="Pedido do aluno">
      <p className={classes.asked}>
        <Icon name="chat" size={18} />
        <span>
          {novo_inicio === null
            ? 'Pediu para desmarcar'
            : `Pediu para remarcar para ${formatMoment(novo_inicio, zone)}`}
          <span className={classes.reason}>
            Pedido feito {formatMoment(pedido_em, zone)}
            {no_prazo && ', no prazo'}
          </span>
          {motivo && <q className={classes.reason}>{motivo}</q>}
        </span>
      </p>
      {novo_inicio === null && preview.data && (
        <p className={classes.consequence} data-costs={costs || undefined}>
          {preview.data.texto}
        </p>
      )}
      <div className={classes.answers}>
        <Button loading={grant.isPending} disabled={!preview.data || busy} onClick={() => void accept(false)}>
          {costs ? 'Aceitar e aplicar a política' : 'Aceitar'}
        </Button>
        {costs && (
          <Button variant="default" disabled={busy} onClick={() => void accept(true)}>
            Aceitar e perdoar
          </Button>
        )}
      </div>
      <LongTextField
        label="Motivo da recusa (opcional)"
        maxLength={300}
        value={mensagem}
        onChange={setMensagem}
      />
      <Button variant="default" loading={refusal.isPending} disabled={busy} onClick={() => void refuse()}>
        Recusar pedido
      </Button>
    </section>
  );
}

type Asked = Pick<SessionRequest, 'inicio' | 'novo_inicio'>;

/** Tells a student what became of a request. `mensagem`: of a refusal. */
function answerMessage(
  { inicio, novo_inicio }: Asked,
  answer: 'aceito' | { mensagem: string },
  firstName: string,
  now: Now,
): string {
  const oi = `Oi, ${firstName}!`;
  const lesson = `sua aula de ${momentOf(inicio, now)}`;
  if (answer === 'aceito')
    return novo_inicio === null
      ? `${oi} Como você pediu, desmarquei ${lesson}.`
      : `${oi} Como você pediu, mudei ${lesson}, para ${momentOf(novo_inicio, now)}. Até lá!`;
  const what = novo_inicio === null ? 'desmarcar' : 'mudar';
  return [`${oi} Não consegui ${what} ${lesson}: ela continua agendada.`, answer.mensagem]
    .filter(Boolean)
    .join(' ');
}

/** The student's open request about a session; renders nothing without one. */
export function RequestOfSession({ sessionId }: { sessionId: string }) {
  const { data: request } = useRequestOf(sessionId);
  return request ? <RequestCard request={request} /> : null;
}
