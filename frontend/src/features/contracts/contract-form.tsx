import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { lazy, Suspense, useState } from 'react';
import type * as z from 'zod/mini';
import type { Contract } from '../../../../backend/modules/contracts/contracts.api.js';
import { fill, type MergeField } from '../../../../backend/modules/contracts/merge-fields.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { useBodyForm } from '../../lib/form.js';
import { ButtonRow, FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Skeletons } from '../../ui/states.js';
import { ContractText } from './contract-text.js';
import classes from './contracts.module.css';
import { kinds } from './words.js';
import { templates } from './templates.js';

const ContractEditor = lazy(() => whenReachable(() => import('./contract-editor.js')));

/** Sample values for the preview. */
const samples: Record<MergeField, string> = {
  aluno: 'Ana Souza',
  cpf: '529.982.247-25',
  plano: 'Mensal 8',
  valor: 'R$ 480,00',
  validade: '35 dias',
  local: 'Academia Central',
  encargos: 'multa de 2%, juros de 1% ao mês',
  politica: 'cancelamento sem custo até 24 h antes da sessão',
  data: '26/11/2026',
  personal: 'Marina Lopes',
  documento: '111.444.777-35',
  cref: '012345-G/SP',
};

interface ContractFormProps<Schema extends z.ZodMiniType> {
  schema: Schema;
  contract?: Contract;
  submitLabel: string;
  failure: string;
  save: (body: z.output<Schema>) => Promise<unknown>;
}

export function ContractForm<Schema extends z.ZodMiniType>(props: ContractFormProps<Schema>) {
  const { schema, contract, submitLabel } = props;
  // An existing contract is first shown as text: the editor is large and loaded only on demand.
  const [previewed, setPreviewed] = useState(contract !== undefined);
  /** Increases when the editor has to restart with another text. */
  const [begun, setBegun] = useState(0);
  const form = useBodyForm({
    initialValues: {
      titulo: contract?.titulo ?? '',
      tipo: contract?.tipo ?? 'termo_personal',
      conteudo: contract?.conteudo ?? '',
      codigo_email: contract?.codigo_email ?? false,
      responsavel: contract?.responsavel ?? false,
      lembretes: contract?.lembretes ?? true,
    },
    schema,
    toBody: (values) => values,
    draft: `contract-${contract?.id ?? 'novo'}`,
    onlyChanges: contract !== undefined,
  });
  const { conteudo } = form.values;

  const begin = (template: (typeof templates)[number]) => {
    form.setValues(template);
    setBegun(begun + 1);
  };
  const discard = () => {
    form.discard();
    setBegun(begun + 1);
  };

  return (
    <FormStack form={{ isRestored: form.isRestored, discard }} onSubmit={submitting(form, props)}>
      {!contract && (
        <div>
          <p className={classes.label}>Comece por um modelo</p>
          <div className={classes.buttons}>
            {templates.map((template) => (
              <Button key={template.titulo} variant="default" size="sm" onClick={() => begin(template)}>
                {template.titulo}
              </Button>
            ))}
          </div>
        </div>
      )}
      <TextInput label="Título *" autoComplete="off" {...form.getInputProps('titulo')} />
      <NativeSelect
        label="Tipo"
        data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('tipo')}
      />
      <div>
        <p className={classes.label}>Conteúdo *</p>
        {previewed ? (
          <div className={classes.sheetOfPaper} tabIndex={0} role="region" aria-label="Pré-visualização">
            <ContractText html={fill(conteudo, samples)} />
          </div>
        ) : (
          <Suspense fallback={<Skeletons count={1} height={320} />}>
            <ContractEditor
              key={begun}
              initial={conteudo}
              onChange={(html) => form.setFieldValue('conteudo', html)}
            />
          </Suspense>
        )}
        {form.errors.conteudo && <p className={classes.error}>{form.errors.conteudo}</p>}
      </div>
      <Button variant="default" onClick={() => setPreviewed(!previewed)}>
        {previewed ? 'Editar texto' : 'Pré-visualizar'}
      </Button>
      <Checkbox
        label="Pedir um código por e-mail para assinar"
        description="Vai para o e-mail do cadastro do aluno."
        {...form.getInputProps('codigo_email', { type: 'checkbox' })}
      />
      <Checkbox
        label="Pedir a data de nascimento"
        description="Para quem não tem a data no cadastro. Com menos de 18 anos, o responsável assina junto; com menos de 16, só ele assina."
        {...form.getInputProps('responsavel', { type: 'checkbox' })}
      />
      <Checkbox
        label="Lembrar automaticamente quem não assinou"
        description="3 dias depois do envio e 2 dias antes do fim do prazo: por e-mail, ou com a mensagem pronta em Lembretes para quem não recebe seus e-mails."
        {...form.getInputProps('lembretes', { type: 'checkbox' })}
      />
      <ButtonRow>
        <SaveButton busy={form.submitting}>{submitLabel}</SaveButton>
      </ButtonRow>
    </FormStack>
  );
}
