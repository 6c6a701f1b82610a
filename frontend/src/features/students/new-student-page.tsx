import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { newStudent, type NewStudent } from '../../../../backend/modules/students/students.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { formatMoney } from '../../lib/money.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Page } from '../../ui/page.js';
import { Notice } from '../../ui/notice.js';
import { toast } from '../../ui/toast.js';
import { InviteLink } from './invite-link.js';
import { StudentForm } from './student-form.js';
import { useRegisterStudent } from './students.queries.js';
import { useInviteLink } from './invites.queries.js';

/** Spec 2, section 9: how long the page stays after WhatsApp was opened. */
const AFTER_SENDING_MS = 1500;

interface Registered {
  id: string;
  nome: string;
  whatsapp: string | null;
  /** Link of the invite; null if it could not be made. */
  url: string | null;
}

export default function NewStudentPage() {
  const [registered, setRegistered] = useState<Registered | null>(null);
  const { mutateAsync } = useRegisterStudent();
  const { invite, busy } = useInviteLink();
  const navigate = useNavigate();

  const register = async (body: NewStudent) => {
    const { id } = await mutateAsync(body);
    const share = body.mensalidade?.proporcional;
    toast.success('Aluno criado', {
      ...(share !== undefined && {
        description: `Cobrança de ${formatMoney(share)} emitida pelo primeiro mês.`,
      }),
    });
    setRegistered({ id, nome: body.nome, whatsapp: body.whatsapp ?? null, url: await invite(id) });
  };
  const inviteAgain = async (student: Registered) =>
    setRegistered({ ...student, url: await invite(student.id) });

  return (
    <Page title="Novo Aluno" back="/alunos" width="narrow">
      {!registered && (
        <Button component={Link} to="/alunos/importar" variant="subtle" fullWidth>
          Importar de uma planilha ou dos contatos
        </Button>
      )}
      <Card>
        {registered ? (
          <Notice
            icon="check"
            title="Aluno cadastrado com sucesso!"
            action={
              <>
                {registered.url ? (
                  <InviteLink
                    student={registered}
                    url={registered.url}
                    onSent={() => setTimeout(() => void navigate('/alunos'), AFTER_SENDING_MS)}
                  />
                ) : (
                  <Button
                    fullWidth
                    loading={busy}
                    onClick={() => void inviteAgain(registered)}
                    leftSection={<Icon name="link" size={18} />}
                  >
                    Gerar Link de Convite
                  </Button>
                )}
                <Button
                  component={Link}
                  to={`/agenda?novo=agendamento&aluno=${registered.id}`}
                  fullWidth
                  variant="light"
                  leftSection={<Icon name="calendar" size={18} />}
                >
                  Agendar uma sessão
                </Button>
                <Button variant="default" fullWidth onClick={() => setRegistered(null)}>
                  Cadastrar outro
                </Button>
                <Button component={Link} to="/alunos" variant="subtle" fullWidth>
                  Voltar para Alunos
                </Button>
              </>
            }
          >
            {registered.url ? 'Com este link' : 'Com um link de convite'}, {firstName(registered.nome)} cria a
            própria conta. Válido por 7 dias, uso único.
          </Notice>
        ) : (
          <StudentForm
            schema={newStudent}
            submitLabel="Cadastrar Aluno"
            failure="Erro ao criar aluno"
            save={register}
            beside={
              <Button component={Link} to="/alunos" variant="default">
                Cancelar
              </Button>
            }
          />
        )}
      </Card>
    </Page>
  );
}
