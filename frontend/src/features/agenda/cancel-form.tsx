import { Button, Radio, RadioGroup, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import {
  sessionCancellation,
  type CancellationPreview,
  type CancellationReason,
  type Session,
  type SessionCancellation,
} from '../../../../backend/modules/agenda/agenda.api.js';
import { useBodyForm } from '../../lib/form.js';
import { isLocal } from '../../lib/outbox.js';
import { WILL_BE_SENT } from '../../lib/pending.js';
import { useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { FormStack, submitting } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { Loading } from '../../ui/loading.js';
import { Skeletons } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { useCancellationPreview, useCancelSession } from './agenda.queries.js';
import classes from './cancel-form.module.css';
import { sessionTitle } from './pending-session.js';
import { reasons } from './session-status.js';
import { useSessionActions } from './use-session-actions.js';

interface CancelFormProps {
  session: Session;
  onDone: () => void;
  onBack: () => void;
}

const beginning: { motivo: CancellationReason; perdoar: string; justificativa: string } = {
  motivo: 'personal',
  perdoar: 'nao',
  justificativa: '',
};

/** Why a session is cancelled, what that costs the student, and whether it is forgiven: all before the tap that does it. */
export function CancelForm({ session, onDone, onBack }: CancelFormProps) {
  const { mutateAsync } = useCancelSession({ id: session.id, title: sessionTitle(session, useZone()) });
  const { reopen } = useSessionActions(session);
  const form = useBodyForm({
    initialValues: beginning,
    schema: sessionCancellation,
    // Called once it is known what the reason costs.
    toBody: ({ motivo, perdoar, justificativa }): unknown =>
      costs(preview.data)
        ? {
            motivo,
            aplicar_politica: perdoar === 'nao',
            justificativa: perdoar === 'sim' ? justificativa || null : null,
          }
        : { motivo },
    draft: `cancelamento.${session.id}`,
  });
  const preview = useCancellationPreview(session.id, form.values.motivo);
  const isCut = preview.data === undefined && (isLocal(session.id) || preview.fetchStatus === 'paused');

  const save = async (body: SessionCancellation) => {
    const outcome = await mutateAsync(body);
    onDone();
    toast.success('Sessão cancelada', {
      description:
        'queued' in outcome
          ? WILL_BE_SENT
          : outcome.usou_credito
            ? 'Usou 1 crédito do aluno.'
            : 'Sem custo para o aluno.',
      undo: reopen,
    });
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao cancelar a sessão' })}>
      <RadioGroup label="Motivo" {...form.getInputProps('motivo')}>
        <div className={classes.reasons}>
          {Object.entries(reasons).map(([value, label]) => (
            <Radio
              key={value}
              value={value}
              label={label}
              classNames={{ body: classes.reason, label: classes.words }}
            />
          ))}
        </div>
      </RadioGroup>
      <div role="status">
        {preview.data ? (
          <Consequence preview={preview.data} />
        ) : isCut ? (
          <NoCost />
        ) : (
          <Loading>
            <Skeletons count={1} height={68} />
          </Loading>
        )}
      </div>
      {costs(preview.data) && (
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
      <SheetActions>
        <Button variant="default" onClick={onBack}>
          Voltar
        </Button>
        <Button type="submit" color="red" loading={form.submitting} disabled={!preview.data && !isCut}>
          Cancelar sessão
        </Button>
      </SheetActions>
    </FormStack>
  );
}

/** Only what costs can be forgiven; a reason that the clock denies cannot apply the policy. */
const costs = (preview: CancellationPreview | undefined): boolean =>
  preview !== undefined && preview.motivo_confere && (preview.usa_credito || preview.taxa !== 0);

/** What a policy takes is known only with a network, and nothing costs that was not said before. */
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

function Consequence({ preview }: { preview: CancellationPreview }) {
  return (
    <p className={classes.consequence} data-costs={costs(preview) || undefined}>
      <Icon name={costs(preview) ? 'alert' : 'check'} size={18} />
      <span>
        {preview.texto}.
        {!preview.motivo_confere && ' O relógio diz outra coisa: com este motivo a política não se aplica.'}
      </span>
    </p>
  );
}
