import { Page } from '../../ui/page.js';
import { OwnContracts } from './own-contracts.js';

/** Contracts that the signed-in student has to sign or has signed. */
export default function OwnContractsPage() {
  return (
    <Page title="Contratos e Termos" back="/aluno">
      <OwnContracts />
    </Page>
  );
}
