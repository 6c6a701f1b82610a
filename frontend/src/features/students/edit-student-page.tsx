import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate, useParams } from 'react-router-dom';
import {
  studentChanges,
  type StudentChanges,
  type Student,
} from '../../../../backend/modules/students/students.api.js';
import { queuedNote } from '../../lib/pending.js';
import { usePlanName } from '../../parts/plan-choices.js';
import { Card } from '../../ui/card.js';
import { ButtonRow, FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { Page, Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { takenBack, toast } from '../../ui/toast.js';
import type { ShownStudent } from '../../parts/pending-student.js';
import { RestoreButton } from '../../ui/restore-button.js';
import RestoreSheet from './restore-sheet.js';
import { StudentAccess } from './student-access.js';
import { StudentForm } from './student-form.js';
import { useStudent } from '../../parts/students.queries.js';
import { useChangeStudent, useForgetPreview, useForgetStudent } from './students.queries.js';
import { useStandingActions } from './use-standing-actions.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import * as z from 'zod/mini';
import { formatDate } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { Consequences } from '../../ui/consequences.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import classes from './students.module.css';

const CONFIRMATION = 'APAGAR';
const confirmation = z.object({ palavra: z.literal(CONFIRMATION) });

/** The consequences, shown before the only action on students that cannot be undone. */
const consequences = [
  [
    'Será apagado',
    'Nome, telefone, e-mail e tudo o que você anotou sobre o aluno, também no histórico e nos backups.',
  ],
  [
    'Será cancelado',
    'As próximas sessões, sem custo: os horários ficam livres. E os contratos que o aluno ainda não assinou.',
  ],
  ['Será mantido', 'Sessões, créditos e valores, sem nome, para as contas fecharem.'],
] as const;
/** Shown if no data of the student is retained, or while that is loading. */
const keptByLaw = [
  'Será mantido',
  'O que a lei manda guardar (recibos e contratos assinados), até o fim do prazo.',
] as const;
const check = [
  'Confira',
  'O que você escreveu em lançamentos, planos, locais e tarefas não muda: veja se há nomes ali.',
] as const;

/** An inconspicuous button to forget a student for good. */
function ForgetStudent({ student }: { student: Student }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        className={classes.entry}
        size="sm"
        variant="subtle"
        onClick={() => setOpened(true)}
        leftSection={<Icon name="shield" size={18} />}
      >
        Apagar dados do aluno (LGPD)
      </Button>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title={`Apagar dados de ${student.nome}`}
        withoutAddress
      >
        <Confirmation student={student} onClose={() => setOpened(false)} />
      </Sheet>
    </>
  );
}

function Confirmation({ student, onClose }: { student: Student; onClose: () => void }) {
  const { mutateAsync } = useForgetStudent();
  const preview = useForgetPreview(student.id);
  const told = (preview.data?.permanece ?? []).map(
    ({ o_que, por_que, ate }) => ['Será mantido', `${o_que}, até ${formatDate(ate)}: ${por_que}`] as const,
  );
  const kept = told.length > 0 ? told : [keptByLaw];
  const tasks = preview.data?.tarefas ?? [];
  const naming =
    tasks.length > 0 ? [['Confira', `Tarefas com esse nome: ${tasks.join('; ')}.`] as const] : [];
  const form = useBodyForm({
    initialValues: { palavra: '' },
    schema: confirmation,
    toBody: ({ palavra }) => ({ palavra: palavra.trim().toUpperCase() }),
  });

  const forget = async () => {
    const { sessoes_canceladas } = await mutateAsync(student.id);
    onClose();
    toast.success('Dados do aluno apagados', { description: cancelledInWords(sessoes_canceladas) });
  };

  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, { save: forget, failure: 'Erro ao apagar os dados do aluno' })}
    >
      <Consequences
        warning="Não dá para desfazer: ninguém consegue recuperar os dados."
        items={[...consequences, ...kept, check, ...naming]}
      />
      <TextInput
        label={`Para confirmar, digite ${CONFIRMATION}`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.getInputProps('palavra')}
      />
      <SheetActions onBack={onClose}>
        <Button type="submit" color="red" loading={form.submitting} disabled={!form.isValid()}>
          Apagar para sempre
        </Button>
      </SheetActions>
    </FormStack>
  );
}

function cancelledInWords(sessions: number): string {
  if (sessions === 0) return 'Os dados pessoais foram apagados.';
  const cancelled = `${plural(sessions, 'sessão foi cancelada', 'sessões foram canceladas')}.`;
  return `Os dados pessoais foram apagados e ${cancelled}`;
}

/** The form of a student's data, the student's access, and archiving, removing and forgetting. */
export default function EditStudentPage() {
  const { id = '' } = useParams();
  const student = useStudent(id);
  // A navigation to this page from a refused edit restarts the form with its values.
  const { key } = useLocation();
  // A forgotten student has no data to edit.
  if (student.data?.esquecido) return <Navigate to={`/alunos/${id}`} replace />;
  if (student.data && student.data.id !== id)
    return <Navigate to={`/alunos/edit/${student.data.id}`} replace />;

  return (
    <Page
      title={student.data?.nome ?? 'Aluno'}
      back={`/alunos/${id}`}
      width="narrow"
      subtitle={student.data?.arquivado && <Tag icon="archive">Inativo</Tag>}
    >
      <Async of={student} failure="Erro ao carregar aluno" skeleton={<Skeletons count={3} height={180} />}>
        {(data) => (
          <Section title="Dados do aluno">
            <Details key={key} student={data} />
          </Section>
        )}
      </Async>
    </Page>
  );
}

function Details({ student }: { student: ShownStudent }) {
  const planName = usePlanName();
  const navigate = useNavigate();
  const { mutateAsync } = useChangeStudent(student);
  const [isRestoring, setRestoring] = useState(false);
  const { archive, remove, busy } = useStandingActions(student, () => void navigate('/alunos'));

  const save = async (body: StudentChanges) => {
    const answer = await mutateAsync({
      changes: body,
      ...(body.plano_id && { shows: { plano_nome: planName(body.plano_id) } }),
    });
    const description = queuedNote(answer);
    // With its plan the student's agreement was left.
    const isEnded =
      body.plano_id !== undefined && !body.mensalidade && student.mensalidade?.plano_id === student.plano_id;
    const done: StudentChanges = { ...body, ...(isEnded && { mensalidade: null }) };
    const before = Object.fromEntries(
      Object.keys(done).map((name) => [name, student[name as keyof typeof student]]),
    );
    toast.success(
      'Aluno atualizado',
      description === undefined
        ? takenBack(() => mutateAsync({ changes: { ...before, se_ainda: done } }))
        : { description },
    );
    await navigate(`/alunos/${student.id}`);
  };

  return (
    <>
      <Card>
        {student.pendente && <PendingMark ownLine />}
        <StudentForm
          schema={studentChanges}
          student={student}
          submitLabel="Salvar"
          failure="Erro ao atualizar aluno"
          save={save}
        />
      </Card>
      <ButtonRow>
        {student.arquivado ? (
          <RestoreButton variant="default" loading={busy} onClick={() => setRestoring(true)} />
        ) : (
          <Button
            variant="default"
            loading={busy}
            onClick={archive}
            leftSection={<Icon name="archive" size={18} />}
          >
            Inativar
          </Button>
        )}
        <Button
          variant="light"
          color="red"
          loading={busy}
          onClick={remove}
          leftSection={<Icon name="trash" size={18} />}
        >
          Excluir
        </Button>
      </ButtonRow>
      {isRestoring && <RestoreSheet student={student} onClose={() => setRestoring(false)} />}
      <StudentAccess student={student} />
      <ForgetStudent student={student} />
    </>
  );
}
