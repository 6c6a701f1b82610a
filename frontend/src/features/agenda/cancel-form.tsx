import { Button, Radio, RadioGroup, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import {
  sessionCancellation,
  type CancellationCost,
  type CancellationPreview,
  type Session,
  type SessionCancellation,
} from '../../../../backend/modules/agenda/agenda.api.js';
import type { CancellationReason } from '../../../../backend/modules/sessions/sessions.api.js';
import { costInWords } from '../../../../backend/modules/agenda/cancellation.api.js';
import { useBodyForm } from '../../lib/form.js';
import { isLocal } from '../../lib/outbox.js';
import { formatMoney } from '../../lib/money.js';
import { WILL_BE_SENT } from '../../lib/pending.js';
import { messageOf } from '../../lib/problem.js';
import { useNow, useToday, useZone } from '../../lib/zone.js';
import { useTell } from '../../parts/use-tell.js';
import { Icon } from '../../ui/icon.js';
import { FormStack } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { Loading } from '../../ui/loading.js';
import { Skeletons } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { useCancellationPreview, type CancellationOutcome } from './agenda.queries.js';
import classes from './cancel-form.module.css';
import { sessionTitle } from './pending-session.js';
import { sessionMessage } from './session-message.js';
import { reasons } from './session-status.js';
import { type Outcome, useSeriesChange } from './use-series-change.js';
import { useSessionActions } from './use-session-actions.js';

interface CancelFormProps {
  session: Session;
  /** The student did not come: the only reason. */
  missed: boolean;
  /** Sends the cancellation; from a component that outlives this form. */
  cancel: (input: { id: string; title: string; body: SessionCancellation }) => Promise<CancellationOutcome>;
  /** Called as soon as the cancellation is sent. */
  onSent: () => void;
  onRefused: () => void;
  onBack: () => void;
}

const beginning: { motivo: CancellationReason; perdoar: string; justificativa: string } = {
  motivo: 'personal',
  perdoar: 'nao',
  justificativa: '',
};
const noShow: typeof beginning = { ...beginning, motivo: 'falta' };

/** Form of a cancellation: reason, cost for the student, and whether it is forgiven, all shown before the session is cancelled. */
export function CancelForm({ session, missed, cancel, onSent, onRefused, onBack }: CancelFormProps) {
  const zone = useZone();
  const today = useToday();
  const title = sessionTitle(session, zone);
  const tell = useTell();
  const { uncancel } = useSessionActions(session);
  const withSeries = useSeriesChange();
  const form = useBodyForm({
    initialValues: missed ? noShow : beginning,
    schema: sessionCancellation,
    // Called after the cost of the reason is loaded.
    toBody: ({ motivo, perdoar, justificativa }): unknown => {
      if (!preview.data) return { motivo };
      const { tem_custo, previsto, perdoado } = preview.data;
      if (!tem_custo) return { motivo, previsto };
      return perdoar === 'sim'
        ? { motivo, aplicar_politica: false, justificativa, previsto: perdoado }
        : { motivo, aplicar_politica: true, previsto };
    },
    draft: `${missed ? 'falta' : 'cancelamento'}.${session.id}`,
  });
  const preview = useCancellationPreview(session.id, form.values.motivo);
  const hasBegun = Date.parse(session.inicio) <= useNow();
  const isCut = preview.data === undefined && (isLocal(session.id) || preview.fetchStatus === 'paused');

  const cancelSeries = async (body: SessionCancellation): Promise<Outcome> => {
    try {
      return await withSeries(session, 'Cancelar', 'cancel', body);
    } catch (error) {
      toast.error('Erro ao cancelar o horário fixo', { description: messageOf(error) });
      return 'nothing';
    }
  };

  /** The form closes before the server answers. Its draft stays until the server has accepted the cancellation. */
  const save = async (body: SessionCancellation) => {
    const others = await cancelSeries(body);
    if (others === 'nothing') return;
    onSent();
    if (others === 'done') return form.finish();
    try {
      const outcome = await cancel({ id: session.id, title, body });
      form.finish();
      const cancelled = { ...session, status: 'cancelada' as const, motivo: body.motivo };
      toast.success(missed ? 'Falta marcada' : 'Sessão cancelada', {
        description: 'queued' in outcome ? WILL_BE_SENT : done(outcome, session.usou_credito),
        tell: await tell([session.student_id], (name) => sessionMessage(cancelled, name, { today, zone })),
        undo: uncancel,
        undone: 'Cancelamento desfeito',
      });
    } catch (error) {
      toast.error('Erro ao cancelar a sessão', { description: messageOf(error) });
      onRefused();
    }
  };

  return (
    <FormStack form={form} onSubmit={form.submit(save)}>
      {!missed && (
        <RadioGroup label="Motivo" {...form.getInputProps('motivo')}>
          <div className={classes.reasons}>
            {Object.entries(reasons).map(([value, label]) => (
              <Radio
                key={value}
                value={value}
                label={label}
                disabled={value === 'falta' && !hasBegun}
                description={value === 'falta' && !hasBegun && 'Só depois do início da sessão.'}
                classNames={{ body: classes.reason, label: classes.words }}
              />
            ))}
          </div>
        </RadioGroup>
      )}
      <div role="status">
        {preview.data ? (
          <Consequence preview={preview.data} forgiven={form.values.perdoar === 'sim'} />
        ) : isCut ? (
          <NoCost />
        ) : (
          <Loading>
            <Skeletons count={1} height={68} />
          </Loading>
        )}
      </div>
      {preview.data?.tem_custo && (
        <>
          <SegmentedControl
            fullWidth
            aria-label="Política do local"
            data={[
              { value: 'nao', label: 'Aplicar a política' },
              { value: 'sim', label: 'Perdoar desta vez' },
            ]}
            {...form.getInputProps('perdoar')}
          />
          {form.values.perdoar === 'sim' && (
            <LongTextField label="Por quê?" {...form.getInputProps('justificativa')} />
          )}
        </>
      )}
      <SheetActions onBack={onBack}>
        <Button
          type="submit"
          color="red"
          loading={form.submitting}
          disabled={preview.data ? !preview.data.permitido : !isCut}
        >
          {missed ? 'Marcar falta' : 'Cancelar sessão'}
        </Button>
      </SheetActions>
    </FormStack>
  );
}

/** The message after a cancellation, in the same words as the announced cost. */
function done(cost: CancellationCost, held: boolean): string {
  const words = costInWords(cost, held, 'done', formatMoney);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Shown offline: the policy's cost is unknown then, and it must be shown before the user confirms. */
function NoCost() {
  return (
    <p className={classes.consequence}>
      <Icon name="offline" size={18} />
      <span>
        Sem internet não dá para ver o que a política do local cobra: a sessão será cancelada sem custo para o
        aluno.
      </span>
    </p>
  );
}

function Consequence({ preview, forgiven }: { preview: CancellationPreview; forgiven: boolean }) {
  const isForgiven = preview.tem_custo && forgiven;
  const warns = (preview.tem_custo && !isForgiven) || !preview.permitido;
  return (
    <p className={classes.consequence} data-costs={warns || undefined}>
      <Icon name={warns ? 'alert' : 'check'} size={18} />
      <span>{isForgiven ? preview.texto_perdoado : preview.texto}</span>
    </p>
  );
}
