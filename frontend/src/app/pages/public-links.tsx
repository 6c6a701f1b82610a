import { useLocationChoices } from '../../features/locations/locations.queries.js';
import { PublicLinks } from '../../features/public-links/public-links.js';
import { InviteSomebody } from '../../features/students/invite-somebody.js';
import { useSignedIn } from '../me-context.js';

/** The sheet "Links públicos" of the agenda. */
export default function PublicLinksPanel() {
  const { membership } = useSignedIn();
  const locations = useLocationChoices();
  return (
    <PublicLinks
      slug={membership.slug}
      tenantId={membership.tenant_id}
      locations={locations.data?.items ?? null}
      invite={<InviteSomebody />}
    />
  );
}
