import { Button } from '@mantine/core';
import { newStudent, type NewStudent } from '../../../../backend/modules/students/students.api.js';
import type { QuickFormProps } from '../../ui/choice.js';
import { SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { StudentForm } from './student-form.js';
import { useRegisterStudent } from './students.queries.js';

/** Registers a student from within another form. */
export default function QuickStudent({ nome, onDone, onBack }: QuickFormProps) {
  const { mutateAsync } = useRegisterStudent();
  const save = async (body: NewStudent) => {
    const { id } = await mutateAsync(body);
    toast.success('Aluno criado');
    onDone(id);
  };
  return (
    <StudentForm
      schema={newStudent}
      begunAs={nome}
      submitLabel="Cadastrar Aluno"
      failure="Erro ao criar aluno"
      save={save}
      Buttons={SheetActions}
      beside={
        <Button variant="default" onClick={onBack}>
          Voltar
        </Button>
      }
    />
  );
}
