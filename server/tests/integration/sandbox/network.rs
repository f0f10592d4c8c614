//! Programs that connect to other addresses than the game's.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixDatagram;

use super::*;

#[test]
#[ignore = "needs perl"]
fn it_can_connect_to_the_server_and_to_nothing_else() {
    let (server, other) =
        (TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
    let address = server.local_addr().unwrap();
    let script = r#"
        use IO::Socket::INET; $| = 1;
        my ($host, $port, $other) = @ARGV;
        my $s = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port, Proto => 'tcp');
        print $s ? "server ok\n" : "server refused: $@ $!\n";
        print $s "hello\n" if $s; print "answer: ", scalar <$s> if $s;
        my $o = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $other, Proto => 'tcp', Timeout => 5);
        print $o ? "other ok\n" : "other refused\n";
        my $u = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 53, Proto => 'udp');
        print $u ? "udp ok\n" : "udp refused\n";
        socket(my $x, 1, 1, 0) ? print "unix ok\n" : print "unix refused\n";
        my $l = IO::Socket::INET->new(LocalPort => 0, Listen => 1, Proto => 'tcp');
        print $l ? "listen ok\n" : "listen refused\n";
    "#;
    let mut case = Case::new("perl", "net.pl", script);
    case.job.server = Some(address);
    let other = other.local_addr().unwrap().port().to_string();
    case.job.command.extend(["{host}", "{port}", &other].map(str::to_owned));
    let server = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let mut line = String::new();
        BufReader::new(stream.try_clone().unwrap()).read_line(&mut line).unwrap();
        stream.write_all(b"hi ").unwrap();
        stream.write_all(line.as_bytes()).unwrap();
    });
    let outcome = case.run();
    server.join().unwrap();
    let output = &outcome.output;
    assert!(
        output.contains("server ok") && output.contains("answer: hi hello"),
        "{output} {:?}",
        outcome.said
    );
    if case.enforces("network", &outcome) {
        for refused in ["other refused", "udp refused", "unix refused", "listen refused"] {
            assert!(output.contains(refused), "{output}");
        }
    }
}

#[test]
#[ignore = "needs python3"]
fn connections_are_carried_until_they_end() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address: SocketAddr = server.local_addr().unwrap();
    let script = "import os,socket\n\
                  a,p=os.environ['ADDRESS'].rsplit(':',1)\n\
                  s=[socket.create_connection((a,int(p))) for _ in range(6)]\n\
                  for i,c in enumerate(s): c.sendall(b'%d\\n'%i)\n\
                  print(b''.join(c.recv(2) for c in s), flush=True)\n";
    let mut case = Case::new("python3", "many.py", script);
    case.job.server = Some(address);
    case.job.env.push(("ADDRESS".to_owned(), "{address}".to_owned()));
    let echo = std::thread::spawn(move || {
        let echo = |mut stream: TcpStream| {
            let mut reader = stream.try_clone().unwrap();
            std::io::copy(&mut reader, &mut stream).unwrap();
        };
        let streams: Vec<_> = (0..6).map(|_| server.accept().unwrap().0).collect();
        let threads: Vec<_> = streams.into_iter().map(|s| std::thread::spawn(move || echo(s))).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    let outcome = case.run();
    assert!(outcome.output.contains(r"0\n1\n2\n3\n4\n5\n"), "{} {:?}", outcome.output, outcome.ending);
    echo.join().unwrap();
}

#[test]
#[ignore = "needs perl, python3 and user namespaces"]
fn no_way_of_connecting_leads_past_the_rules() {
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("socket");
    let datagrams = UnixDatagram::bind(&path).unwrap();
    datagrams.set_nonblocking(true).unwrap();
    for path in [outside.path(), &path] {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    let port = other.local_addr().unwrap().port().to_string();
    let script = r#"
        use Socket; $| = 1;
        my ($port, $path) = @ARGV;
        my $to = sockaddr_in($port, INADDR_LOOPBACK);
        sub tcp { socket(my $s, PF_INET, SOCK_STREAM, 6) or die "socket: $!"; $s }
        my $s = tcp();
        print "fast open ", (defined send($s, "hi", 0x20000000, $to) ? "ok" : "refused"), "\n";
        $s = tcp();
        my $set = setsockopt($s, 6, 30, 1);
        print "fast option ", ($set ? "ok" : "refused"), "\n";
        connect($s, $to) and syswrite($s, "hi") if $set;
        print "listen ", (listen(tcp(), 5) ? "ok" : "refused"), "\n";
        my $pair = socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0);
        print "datagrams ", ($pair && defined send($a, "hi", 0, pack_sockaddr_un($path)) ? "ok" : "refused"), "\n";
        print "stream ", (socketpair($a, $b, AF_UNIX, SOCK_STREAM, 0) ? "ok" : "refused"), "\n";
    "#;
    let case = || {
        let mut case = Case::new("perl", "ways.pl", script);
        case.job.command.extend([port.clone(), path.display().to_string()]);
        case
    };
    for case in [case(), case().without_namespaces()] {
        let outcome = case.run();
        for refused in ["fast open", "fast option", "listen", "datagrams"] {
            assert!(
                outcome.output.contains(&format!("{refused} refused")),
                "{} {:?}",
                outcome.output,
                outcome.said
            );
        }
        assert!(outcome.output.contains("stream ok"), "{}", outcome.output);
        assert!(other.accept().is_err() && datagrams.recv(&mut [0; 2]).is_err());
    }
}
