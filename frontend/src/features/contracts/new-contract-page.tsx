import { useNavigate } from 'react-router-dom';
import { newContract, type NewContract } from '../../../../backend/modules/contracts/contracts.api.js';
import { useSend } from '../../lib/command.js';
import { Page } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import { ContractForm } from './contract-form.js';

export default function NewContractPage() {
  const navigate = useNavigate();
  const { mutateAsync } = useSend('POST /contracts');
  const save = async (body: NewContract) => {
    const { id } = await mutateAsync(body);
    toast.success('Contrato criado com sucesso');
    await navigate(`/ajustes/contratos-termos/${id}`);
  };
  return (
    <Page title="Novo Contrato" back="/ajustes/contratos-termos">
      <ContractForm
        schema={newContract}
        submitLabel="Criar contrato"
        failure="Erro ao criar contrato"
        save={save}
      />
    </Page>
  );
}
