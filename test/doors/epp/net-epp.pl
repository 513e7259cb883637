# The life of a domain as an engineer of a registrar would script it with Net::EPP. Reads its parameters as JSON from
# standard input and prints a line of JSON for each step: its name, the result code, and what the server answered.
use strict;
use warnings;
use JSON::PP;
use Net::EPP::Simple;
use XML::LibXML;

my $input = decode_json(do { local $/; <STDIN> });
my $json = JSON::PP->new->canonical;
$| = 1;

my $SECDNS = Net::EPP::Frame::ObjectSpec->xmlns('secDNS');
my $EIS = 'https://epp.tld.ee/schema/eis-1.0.xsd';

sub report {
    my ($step, $answer) = @_;
    print $json->encode({step => $step, code => int($Net::EPP::Simple::Code // 0), answer => $answer}), "\n";
    return $answer;
}

sub connect_as {
    my ($registrar) = @_;
    my $epp = Net::EPP::Simple->new(
        host => $input->{host}, port => $input->{port}, timeout => 20,
        verify => 1, ca_file => $input->{ca_file},
        user => $registrar->{user}, pass => $registrar->{password},
        $registrar->{cert_file} ? (cert => $registrar->{cert_file}, key => $registrar->{key_file}) : (),
    );
    report("login of $registrar->{user}", $epp ? JSON::PP::true : $Net::EPP::Simple::Error);
    exit 1 unless $epp;
    return $epp;
}

# Sends a frame of the library; the answer is what is found in it under the given names.
sub ask {
    my ($epp, $step, $frame, @names) = @_;
    my $response = $epp->request($frame) or return report($step, $Net::EPP::Simple::Error);
    $Net::EPP::Simple::Code = $response->code;
    my %found;
    for my $name (@names) {
        my @nodes = $response->getElementsByLocalName($name);
        $found{$name} = $nodes[0]->textContent if @nodes;
    }
    my ($queue) = $response->getElementsByLocalName('msgQ');
    if ($queue) {
        $found{$_} = $queue->getAttribute($_) for qw(count id);
        $found{message} = $_->textContent for $queue->getElementsByLocalName('msg');
    }
    return report($step, \%found);
}

sub extend {
    my ($frame, $text) = @_;
    my $element = XML::LibXML->load_xml(string => $text)->documentElement;
    $frame->extension->appendChild($frame->importNode($element));
    return $frame;
}

sub key_data {
    my ($key) = @_;
    my ($flags, $protocol, $alg, $public) = split / /, $key;
    return "<keyData><flags>$flags</flags><protocol>$protocol</protocol><alg>$alg</alg><pubKey>$public</pubKey></keyData>";
}

my ($first, $second) = map { connect_as($_) } @{$input->{registrars}};
my ($name, $code, @keys) = ($input->{name}, $input->{code}, @{$input->{keys}});

report('the greeting announces domains', $first->server_has_object(Net::EPP::Frame::ObjectSpec->xmlns('domain')) ? 1 : 0);
report('check of the free name', $first->check_domain($name));

for my $id (@{$input->{contacts}}) {
    report("check of $id", $first->check_contact($id));
    # The library knows nothing of identifications: they are an extension of the registry.
    my $frame = $first->_prepare_create_contact_frame({
        id => $id, voice => '+372.5551234', email => lc("$id\@example.ee"), authInfo => 'not-used-here',
        postalInfo => {int => {name => 'Mari Maasikas',
            addr => {street => ['Sole 1', '2nd floor'], city => 'Tallinn', sp => 'Harju', pc => '10614', cc => 'EE'}}},
    });
    extend($frame, "<extdata xmlns='$EIS'><ident type='priv' cc='EE'>$input->{ident}</ident></extdata>");
    ask($first, "create of $id", $frame, 'id');
}
report('info of the contact', $first->contact_info($input->{contacts}[0]));
report('update of the contact', $first->update_contact({id => $input->{contacts}[1], chg => {email => 'new@example.ee'}}));
report('its new address', $first->contact_info($input->{contacts}[1])->{email});

my $create = $first->_prepare_create_domain_frame({
    name => $name, period => 1, registrant => $input->{contacts}[0], authInfo => $code,
    contacts => {admin => $input->{contacts}[0], tech => $input->{contacts}[0]},
    ns => [{name => 'ns.example.org'}, {name => "ns.$name", addrs => [{version => 'v4', addr => '198.41.0.4'}]}],
});
extend($create, "<create xmlns='$SECDNS'>" . key_data($keys[0]) . '</create>');
ask($first, 'create of the domain', $create, qw(name crDate exDate));
report('check of the taken name', $first->check_domain($name));
report('info of the domain', $first->domain_info($name));

my $update = $first->_generate_update_domain_frame({
    name => $name,
    add => {ns => [{name => 'ns.example.net'}], contacts => {tech => $input->{contacts}[1]}, status => ['clientHold']},
    rem => {ns => [{name => 'ns.example.org'}], contacts => {tech => $input->{contacts}[0]}},
    chg => {authInfo => "$code-2"},
});
extend($update, "<update xmlns='$SECDNS'><rem>" . key_data($keys[0]) . '</rem><add>' . key_data($keys[1]) . '</add></update>');
ask($first, 'update of the domain', $update);
my $info = report('info after the update', $first->domain_info($name));
report('removal of the hold', $first->update_domain({name => $name, rem => {status => ['clientHold']}}));

my ($date) = split /T/, $info->{exDate};
report('renewal', $first->renew_domain({name => $name, cur_exp_date => $date, period => 2}));
report('the same renewal again', $first->renew_domain({name => $name, cur_exp_date => $date, period => 2}));
report('expiry after it', $first->domain_info($name)->{exDate});

# domain_transfer_request of the library always sends a period, which a transfer does not have here.
sub transfer {
    my ($op, $given) = @_;
    my $frame = Net::EPP::Frame::Command::Transfer::Domain->new;
    $frame->setOp($op);
    $frame->setDomain($name);
    $frame->setAuthInfo($given) if $given;
    return $frame;
}
my @transfer = qw(name trStatus reID reDate acID acDate exDate);
ask($second, 'transfer with a wrong code', transfer('request', 'wrong'));
ask($second, 'transfer', transfer('request', "$code-2"), @transfer);
ask($second, 'query of the transfer', transfer('query'), @transfer);
report('update by the former sponsor', $first->update_domain({name => $name, add => {status => ['clientHold']}}));
report('info of the new sponsor', $second->domain_info($name));

for my $turn (1 .. 20) {
    my $message = ask($first, 'poll', Net::EPP::Frame::Command::Poll::Req->new, qw(trStatus reID));
    last if $Net::EPP::Simple::Code == 1300;
    my $ack = Net::EPP::Frame::Command::Poll::Ack->new;
    $ack->setMsgID($message->{id});
    ask($first, 'acknowledgement', $ack);
}

report('delete', $second->delete_domain($name));
report('info after the delete', $second->domain_info($name));
report('logout', $_->logout) for $first, $second;
