import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSend, useSendTo } from '../../lib/command.js';
import { isTimeRefusal, messageOf } from '../../lib/problem.js';
import { StudentsField } from '../../parts/students-field.js';
import { bookedMessage } from '../../parts/booked-message.js';
import { useTell } from '../../parts/use-tell.js';
import { FormStack } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { useToday, useZone } from '../../lib/zone.js';
import { takenBack, toast } from '../../ui/toast.js';
import type { ShownSession } from './pending-session.js';
import { isInSeries } from './scope.js';
import { useSeriesChange } from './use-series-change.js';

interface AddMembersFormProps {
  session: ShownSession;
  onDone: () => void;
  onBack: () => void;
}

const noDraft = { isRestored: false, discard: () => undefined };

/** Adds students to the hour of a session. */
export function AddMembersForm({ session, onDone, onBack }: AddMembersFormProps) {
  const [student_ids, choose] = useState<string[]>([]);
  const add = useSendTo('POST /sessions/:id/students');
  const undoing = useSend('POST /sessions/undo-bookings');
  const withSeries = useSeriesChange();
  const tell = useTell();
  const now = { today: useToday(), zone: useZone() };
  const { membros = [session] } = session;
  const present = membros.filter(({ status }) => status !== 'cancelada');

  const send = async (permitir_conflito = false): Promise<void> => {
    try {
      const hour = present.find(isInSeries) ?? present[0] ?? session;
      const { id } = hour;
      if (!permitir_conflito) {
        const outcome = await withSeries(hour, 'Adicionar a', 'students', { student_ids });
        if (outcome === 'done') onDone();
        if (outcome !== 'alone') return;
      }
      const { session_ids } = await add.mutateAsync({
        id,
        student_ids,
        ...(permitir_conflito && { permitir_conflito }),
      });
      toast.success(student_ids.length === 1 ? 'Aluno adicionado' : 'Alunos adicionados', {
        tell: await tell(student_ids, (name) => bookedMessage(session, name, now)),
        ...takenBack(() => undoing.mutateAsync({ session_ids }), 'Agendamento desfeito'),
      });
      onDone();
    } catch (error) {
      toast.error('Erro ao criar agendamento', {
        description: messageOf(error),
        ...(isTimeRefusal(error) && {
          action: { label: 'Agendar mesmo assim', onClick: () => void send(true) },
        }),
      });
    }
  };

  return (
    <FormStack
      form={noDraft}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <StudentsField
        label="Aluno"
        value={student_ids}
        onChange={choose}
        except={present.map(({ student_id }) => student_id)}
      />
      <SheetActions onBack={onBack}>
        <Button type="submit" loading={add.isPending} disabled={student_ids.length === 0}>
          Adicionar
        </Button>
      </SheetActions>
    </FormStack>
  );
}
