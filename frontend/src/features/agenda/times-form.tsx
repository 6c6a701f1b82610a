import { Button } from '@mantine/core';
import { sessionChanges } from '../../../../backend/modules/agenda/agenda.api.js';
import type { Day, Time } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useZone } from '../../lib/zone.js';
import { FormStack } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { Conflict, type useSessionSending } from './conflict.js';
import type { ShownSession } from './pending-session.js';
import { sessionBody, sessionErrors, SessionTimeFields } from './session-form.js';

interface FirstTimes {
  data: Day;
  inicio: Time;
  fim: Time;
}

/** A form for only a session's day and times. */
export function useTimesForm({ location_id }: ShownSession, first: FirstTimes, draft?: string) {
  const zone = useZone();
  return useBodyForm({
    initialValues: { location_id, observacoes: '', ...first },
    schema: sessionChanges,
    toBody: (values) => {
      const { inicio, fim } = sessionBody(values, zone);
      return { inicio, fim };
    },
    check: sessionErrors,
    draft,
  });
}

interface TimesFormProps {
  form: ReturnType<typeof useTimesForm>;
  sending: ReturnType<typeof useSessionSending>;
  /** The moved session, which does not conflict with itself. */
  except?: string;
  /** Label of the submit button. */
  submit: string;
  onBack: () => void;
}

export const TimesForm = ({ form, sending, except, submit, onBack }: TimesFormProps) => (
  <FormStack form={form} onSubmit={sending.submit}>
    <SessionTimeFields form={form} />
    <SheetActions>
      {sending.conflict === null ? (
        <>
          <Button variant="default" onClick={onBack}>
            Voltar
          </Button>
          <Button type="submit" loading={form.submitting}>
            {submit}
          </Button>
        </>
      ) : (
        <Conflict form={form} sending={sending} except={except} anyway="Agendar mesmo assim" />
      )}
    </SheetActions>
  </FormStack>
);
