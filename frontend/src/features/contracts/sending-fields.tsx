import { NativeSelect } from '@mantine/core';
import { linkDays, type Sending } from '../../../../backend/modules/contracts/contracts.api.js';

export type SendingTerms = Pick<Sending, 'canal' | 'prazo_dias'>;

interface SendingFieldsProps {
  terms: SendingTerms;
  onChange: (terms: SendingTerms) => void;
}

/** How a contract is sent, and for how long its link is valid. */
export function SendingFields({ terms, onChange }: SendingFieldsProps) {
  return (
    <>
      <NativeSelect
        label="Como"
        value={terms.canal}
        onChange={({ currentTarget }) =>
          onChange({ ...terms, canal: currentTarget.value as Sending['canal'] })
        }
        data={[
          { value: 'link', label: 'WhatsApp ou link' },
          { value: 'email', label: 'E-mail' },
        ]}
        description={
          terms.canal === 'link'
            ? 'Depois de enviar, abra o WhatsApp de cada aluno com a mensagem pronta.'
            : 'Vai para o e-mail do cadastro. O link também fica disponível aqui.'
        }
      />
      <NativeSelect
        label="Prazo para assinar"
        value={String(terms.prazo_dias)}
        onChange={({ currentTarget }) =>
          onChange({ ...terms, prazo_dias: Number(currentTarget.value) as Sending['prazo_dias'] })
        }
        data={linkDays.map((days) => ({ value: String(days), label: `${days} dias` }))}
        description="Quem já recebeu esta versão recebe um lembrete e mantém o prazo que tinha."
      />
    </>
  );
}
