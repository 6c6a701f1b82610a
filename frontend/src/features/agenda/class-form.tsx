import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import {
  classChange,
  type ClassChange,
  type ClassOfSession,
  type ClassSettings,
} from '../../../../backend/modules/classes/classes.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { choiceOf } from '../../lib/choices.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { Quiet } from '../../ui/quiet.js';
import { SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { takenBack, toast } from '../../ui/toast.js';
import { useClass } from './groups.queries.js';
import type { ShownSession } from './pending-session.js';

interface ClassFormProps {
  session: ShownSession;
  onDone: () => void;
  onBack: () => void;
}

const usual: ClassSettings = {
  aberta: true,
  nome: '',
  vagas: 6,
  ate_horas: 2,
  minimo_alunos: null,
  minimo_horas: 2,
};

/** Opens the hour of a session for students, or changes or closes it. */
export default function ClassForm({ session, ...props }: ClassFormProps) {
  return (
    <Async of={useClass(session.id)} skeleton={<Skeletons count={3} height={56} />}>
      {(found) => <Fields key={session.id} session={session} found={found} {...props} />}
    </Async>
  );
}

const students = (count: number) => plural(count, 'aluno', 'alunos');
const ahead = (hours: number) => (hours === 0 ? 'Até o início' : `Até ${hours} h antes`);

function Fields({ session, found, onDone, onBack }: ClassFormProps & { found: ClassOfSession }) {
  const { so_esta, todas, aulas } = found;
  const { mutateAsync } = useSend('PUT /sessions/:id/class', session.id);
  const before = so_esta ?? todas;
  const set = before ?? usual;
  const form = useBodyForm({
    initialValues: {
      escopo: aulas === null || so_esta ? 'so_esta' : 'todas',
      nome: set.nome,
      vagas: String(set.vagas),
      ate_horas: String(set.ate_horas),
      minimo_alunos: String(set.minimo_alunos ?? 0),
      minimo_horas: String(set.minimo_horas),
    },
    schema: classChange,
    toBody: ({ escopo, nome, ...numbers }): unknown => {
      const [vagas, ate_horas, minimo_horas] = [numbers.vagas, numbers.ate_horas, numbers.minimo_horas].map(
        Number,
      );
      const minimo_alunos = Number(numbers.minimo_alunos) || null;
      return { escopo, aberta: true, nome, vagas, ate_horas, minimo_alunos, minimo_horas };
    },
  });
  const isWeekly = aulas !== null && form.values.escopo === 'todas';
  const { minimo_alunos, minimo_horas } = form.values;

  const send = async (body: ClassChange, said: string) => {
    const { escopo, se_ainda: _, ...settings } = body;
    const former = (escopo === 'todas' ? todas : so_esta) ?? { ...settings, aberta: false };
    await mutateAsync(body);
    toast.success(
      said,
      takenBack(() => mutateAsync({ escopo, ...former, se_ainda: settings })),
    );
    onDone();
  };
  const save = (body: ClassChange) =>
    send(body, before?.aberta ? 'Turma alterada' : 'Turma aberta para alunos');
  const close = async () => {
    const escopo = so_esta ? 'so_esta' : (form.values.escopo as ClassChange['escopo']);
    await send({ ...set, escopo, aberta: false }, 'Turma fechada para alunos');
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar a turma' })}>
      {aulas !== null && (
        <SegmentedControl
          fullWidth
          aria-label="Quais sessões"
          data={[
            { value: 'todas', label: 'Todas as semanas' },
            { value: 'so_esta', label: 'Só esta sessão' },
          ]}
          {...form.getInputProps('escopo')}
        />
      )}
      <TextInput label="Nome da turma" placeholder="Funcional" {...form.getInputProps('nome')} />
      <FieldPair>
        <NativeSelect
          label="Vagas"
          data={choiceOf([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50], set.vagas, String)}
          {...form.getInputProps('vagas')}
        />
        <NativeSelect
          label="Alunos agendam"
          data={choiceOf([0, 1, 2, 3, 6, 12, 24, 48, 72], set.ate_horas, ahead)}
          {...form.getInputProps('ate_horas')}
        />
      </FieldPair>
      <FieldPair>
        <NativeSelect
          label="Mínimo para acontecer"
          data={choiceOf([0, 2, 3, 4, 5, 6, 8, 10], set.minimo_alunos ?? 0, (count) =>
            count === 0 ? 'Sem mínimo' : students(count),
          )}
          {...form.getInputProps('minimo_alunos')}
        />
        {minimo_alunos !== '0' && (
          <NativeSelect
            label="Decide"
            data={choiceOf([1, 2, 3, 6, 12, 24], set.minimo_horas, (hours) => `${hours} h antes`)}
            {...form.getInputProps('minimo_horas')}
          />
        )}
      </FieldPair>
      <Quiet>
        {[
          isWeekly &&
            `Vale para ${plural(aulas, 'sessão já agendada', 'sessões já agendadas')} e para as que vierem.`,
          'Alunos com conta veem as vagas e agendam pelas regras de “Agendamento de alunos”.',
          minimo_alunos !== '0' &&
            `Com menos de ${students(Number(minimo_alunos))} ${minimo_horas} h antes, a sessão é cancelada sozinha, sem custo. Você e os alunos com conta são avisados; para os outros há uma mensagem em Lembretes.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </Quiet>
      <SheetActions onBack={onBack}>
        {before?.aberta && (
          <Button variant="default" onClick={() => void close()}>
            Fechar turma
          </Button>
        )}
        <Button type="submit" loading={form.submitting}>
          {before?.aberta ? 'Salvar' : 'Abrir para alunos'}
        </Button>
      </SheetActions>
    </FormStack>
  );
}
