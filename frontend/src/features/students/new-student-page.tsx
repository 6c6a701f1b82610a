import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { newStudent, type NewStudent } from '../../../../backend/modules/students/students.api.js';
import type { ChoiceField } from '../../ui/choice.js';
import { Card } from '../../ui/card.js';
import { Page } from '../../ui/page.js';
import { Notice } from '../../ui/notice.js';
import { toast } from '../../ui/toast.js';
import { StudentForm } from './student-form.js';
import { useRegisterStudent } from './students.queries.js';

export function NewStudentPage({ PlanField }: { PlanField: ChoiceField }) {
  const [registered, setRegistered] = useState<{ id: string; nome: string } | null>(null);
  const { mutateAsync } = useRegisterStudent();

  const register = async (body: NewStudent) => {
    const { id } = await mutateAsync(body);
    setRegistered({ id, nome: body.nome });
    toast.success('Aluno criado');
  };

  return (
    <Page title="Novo Aluno" back="/alunos" width="narrow">
      <Card>
        {registered ? (
          <Notice
            icon="check"
            title="Aluno cadastrado com sucesso!"
            role="status"
            action={
              <>
                <Button component={Link} to={`/alunos/edit/${registered.id}`} fullWidth>
                  Abrir ficha de {registered.nome.split(' ')[0]}
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
            {registered.nome} já pode ser agendado.
          </Notice>
        ) : (
          <StudentForm
            schema={newStudent}
            PlanField={PlanField}
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
