import { Button } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate, useParams } from 'react-router-dom';
import {
  studentChanges,
  type StudentChanges,
  type Student,
} from '../../../../backend/modules/students/students.api.js';
import { useSendTo } from '../../lib/command.js';
import { queuedNote } from '../../lib/pending.js';
import { usePlanName } from '../../parts/plan-choices.js';
import { Card } from '../../ui/card.js';
import { ButtonRow } from '../../ui/form.js';
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
import { useChangeStudent, forgetPreview } from './students.queries.js';
import { useStandingActions } from './use-standing-actions.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { ForgetPerson, keptByLaw } from '../../parts/forget-person.js';

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
const check = [
  'Confira',
  'O que você escreveu em lançamentos, planos, locais e tarefas não muda: veja se há nomes ali.',
] as const;

/** An inconspicuous button to forget a student for good. */
function ForgetStudent({ student }: { student: Student }) {
  const { mutateAsync } = useSendTo('POST /students/:id/forget');
  const forget = async () => {
    const { sessoes_canceladas } = await mutateAsync(student.id);
    toast.success('Dados do aluno apagados', { description: cancelledInWords(sessoes_canceladas) });
  };
  return (
    <ForgetPerson
      label="Apagar dados do aluno (LGPD)"
      title={`Apagar dados de ${student.nome}`}
      failure="Erro ao apagar os dados do aluno"
      forget={forget}
      preview={forgetPreview(student.id)}
      consequences={(preview) => {
        const tasks = preview?.tarefas ?? [];
        const naming = `Tarefas com esse nome: ${tasks.join('; ')}.`;
        return [
          ...consequences,
          ...keptByLaw(preview?.permanece, 'recibos e contratos assinados'),
          check,
          ...(tasks.length > 0 ? [['Confira', naming] as const] : []),
        ];
      }}
    />
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
