import { TextInput } from '@mantine/core';
import { newPayer, type Payer, payerChanges } from '../../../../backend/modules/payers/payers.api.js';
import { formatDocument } from '../../../../backend/modules/students/document.api.js';
import { formatPhone } from '../../../../backend/modules/students/phone-format.api.js';
import { useSend, useSendTo } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { PhoneField } from '../../ui/phone-field.js';
import { SheetForm } from '../../ui/sheet.js';
import { takenBack, toast } from '../../ui/toast.js';
import { useRemovePayer } from './payers.queries.js';

interface NewPayerFormProps {
  /** The first student whom the payer pays for. */
  student?: { id: string; nome: string };
  /** What is known before: of a student's guardian. */
  begun?: { nome: string | null; whatsapp: string | null };
  onDone: (id: string) => void;
  onBack?: () => void;
}

export function NewPayerForm({ student, begun, onDone, onBack }: NewPayerFormProps) {
  const register = useSend('POST /payers');
  const remove = useRemovePayer();
  const form = useBodyForm({
    initialValues: valuesOf({ documento: null, email: null, nome: begun?.nome, whatsapp: begun?.whatsapp }),
    schema: newPayer,
    toBody: (values) => ({ ...bodyOf(values), ...(student && { student_id: student.id }) }),
  });
  return (
    <SheetForm
      form={form}
      submit="Cadastrar"
      failure="Erro ao cadastrar pagador"
      onBack={onBack}
      save={async (body) => {
        const { id } = await register.mutateAsync(body);
        onDone(id);
        toast.success(
          student ? `${body.nome} paga por ${student.nome}` : 'Pagador cadastrado',
          takenBack(() => remove.mutateAsync(id), 'Cadastro desfeito'),
        );
      }}
    >
      <Fields form={form} />
    </SheetForm>
  );
}

export function EditPayerForm({ payer, onDone }: { payer: Payer; onDone: () => void }) {
  const change = useSendTo('PATCH /payers/:id');
  const form = useBodyForm({
    initialValues: valuesOf(payer),
    schema: payerChanges,
    toBody: bodyOf,
    onlyChanges: true,
  });
  return (
    <SheetForm
      form={form}
      submit="Salvar"
      failure="Erro ao salvar pagador"
      save={async (body) => {
        await change.mutateAsync({ id: payer.id, ...body });
        onDone();
        const before = Object.fromEntries(
          Object.keys(body).map((name) => [name, payer[name as keyof Payer]]),
        );
        toast.success(
          'Pagador atualizado',
          takenBack(() => change.mutateAsync({ id: payer.id, ...before, se_ainda: body })),
        );
      }}
    >
      <Fields form={form} />
    </SheetForm>
  );
}

type Values = ReturnType<typeof valuesOf>;

const valuesOf = (known: Partial<Pick<Payer, 'nome' | 'documento' | 'whatsapp' | 'email'>> | Begun) => ({
  nome: known.nome ?? '',
  documento: formatDocument(known.documento ?? ''),
  whatsapp: formatPhone(known.whatsapp ?? ''),
  email: known.email ?? '',
});

interface Begun {
  nome?: string | null | undefined;
  documento: string | null;
  whatsapp?: string | null | undefined;
  email: string | null;
}

const bodyOf = ({ nome, documento, whatsapp, email }: Values) => ({
  nome,
  whatsapp,
  documento: documento.trim() || null,
  email: email.trim() || null,
});

function Fields({ form }: { form: { getInputProps: (name: keyof Values) => object } }) {
  return (
    <>
      <TextInput label="Nome ou empresa *" autoComplete="off" {...form.getInputProps('nome')} />
      <PhoneField label="WhatsApp *" {...form.getInputProps('whatsapp')} />
      <TextInput
        label="CPF ou CNPJ"
        description="Vai nos recibos, que saem neste nome."
        autoComplete="off"
        {...form.getInputProps('documento')}
      />
      <TextInput label="E-mail" type="email" autoComplete="off" {...form.getInputProps('email')} />
    </>
  );
}
