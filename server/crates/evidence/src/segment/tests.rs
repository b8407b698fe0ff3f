use super::*;
use proptest::prelude::*;

fn varint(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn text(text: &[u8], out: &mut Vec<u8>) {
    varint(text.len() as u64, out);
    out.extend_from_slice(text);
}

fn block(payload: &[u8]) -> Vec<u8> {
    let mut out = (payload.len() as u32).to_be_bytes().to_vec();
    out.extend(bytes::crc32(payload).to_be_bytes());
    out.extend(payload);
    out
}

fn segment(blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    blocks.iter().for_each(|b| out.extend(block(b)));
    out
}

fn events(bytes: &[u8]) -> Result<(Vec<Event>, End), Malformed> {
    let mut out = Vec::new();
    let end = read(bytes, &mut |e| out.push(e))?;
    Ok((out, end))
}

/// A test that ends after a slot saw 3, then a string with half of a pair of surrogates.
fn small() -> Vec<u8> {
    let mut p = vec![0x04, 1];
    for part in [
        b"a.BookTest".as_slice(),
        b"opens",
        b"",
        b"x",
        b"opens()",
        b"",
    ] {
        text(part, &mut p);
    }
    p.extend([0x12, 7, 1, 2, 2, 1, 6, 6, 2, 10]);
    varint(3, &mut p);
    text(&[b'a', 0xed, 0xa0, 0x80, b'b'], &mut p);
    p.extend([0x11, 1, 0]);
    varint(1_000_000, &mut p);
    p
}

#[test]
fn a_slot_of_a_test_is_read_to_the_unit() {
    let (events, end) = events(&segment(&[small()])).unwrap();
    assert_eq!(end, End::Whole);
    let Event::Test(1, test) = &events[0] else {
        panic!("{events:?}");
    };
    assert_eq!(
        (test.class.as_str(), test.method.as_str()),
        ("a.BookTest", "opens")
    );
    let Event::Slot {
        slot: 7,
        test: 1,
        count: 2,
        values,
        last: Some(1),
        cut: false,
    } = &events[1]
    else {
        panic!("{events:?}");
    };
    assert!(values[0].same(&Value::Int(3)));
    let odd = JavaString {
        units: vec![0x61, 0xd800, 0x62],
        length: 3,
    };
    assert!(values[1].same(&Value::Text(odd)));
    assert_eq!(values[1].short(), r#""a\ud800b""#);
    assert!(matches!(
        &events[2],
        Event::Ended {
            status: Status::Passed,
            nanos: 1_000_000,
            ..
        }
    ));
}

#[test]
fn what_a_killed_jvm_did_not_finish_is_left_out_and_counted() {
    let whole = segment(&[small(), small()]);
    let one = segment(&[small()]);
    for end in 0..=whole.len() {
        let (events, told) = events(&whole[..end]).unwrap();
        let blocks = match end {
            n if n == whole.len() => 2,
            n if n >= one.len() => 1,
            _ => 0,
        };
        assert_eq!(events.len(), 3 * blocks, "cut at {end}");
        let is_whole = [MAGIC.len(), one.len(), whole.len()].contains(&end);
        assert_eq!(told == End::Whole, is_whole, "cut at {end}: {told:?}");
    }
    let mut broken = whole;
    let last = broken.len() - 1;
    broken[last] ^= 1;
    assert_eq!(events(&broken).unwrap().0.len(), 3);
}

#[test]
fn the_checksum_is_that_of_zip() {
    assert_eq!(bytes::crc32(b"123456789"), 0xcbf4_3926);
}

#[test]
fn words_that_were_not_defined_are_an_error() {
    let error = events(&segment(&[vec![0x12, 7, 1, 1, 1, 3, 13, 9, 0]])).unwrap_err();
    assert_eq!(error.what, "a class that was not defined");
    assert!(events(b"PNG").is_err());
}

proptest! {
    #[test]
    fn no_bytes_end_the_reader(payload in proptest::collection::vec(any::<u8>(), 0..300)) {
        drop(events(&payload));
        drop(events(&segment(&[payload])));
    }
}

#[test]
fn arrays_are_called_as_people_write_them() {
    assert_eq!(written("[[J"), "long[][]");
    assert_eq!(written("[La.Money;"), "a.Money[]");
    assert_eq!(written("a.Money"), "a.Money");
}

#[test]
fn a_call_says_which_line_of_its_test_made_it() {
    let mut p = vec![0x01, 1, 0];
    text(b"a.Book", &mut p);
    p.extend([0x03, 1, 1]);
    text(b"open", &mut p);
    text(b"()V", &mut p);
    p.extend([1, 0, 0]);
    // An entry from line 17 and one from nowhere; both are without a receiver.
    p.extend([0x14, 1, 0, 9, 1, 1, 0, 34, 0, 1, 31]);
    p.extend([0x14, 1, 0, 9, 2, 2, 0, 1, 0, 1, 31]);
    let (events, _) = events(&segment(&[p])).unwrap();
    let lines: Vec<Option<u32>> = events
        .iter()
        .filter_map(|e| match e {
            Event::Sample { line, .. } => Some(*line),
            _ => None,
        })
        .collect();
    assert_eq!(lines, [Some(17), None]);
}

#[test]
fn a_file_that_grows_tells_each_block_once_it_is_whole() {
    let whole = segment(&[small(), vec![0x1e, 1, b'x', 2]]);
    let expected = events(&whole).unwrap();
    for step in [1, 3, whole.len()] {
        let (mut stream, mut seen, mut most) = (Stream::default(), Vec::new(), 0);
        for more in whole.chunks(step) {
            stream.push(more, &mut |e| seen.push(e)).unwrap();
            most = most.max(stream.waiting());
        }
        assert_eq!(stream.end(), End::Whole);
        assert_eq!(format!("{seen:?}"), format!("{:?}", expected.0));
        // No more waits than the largest block, whatever was read before.
        assert!(most < small().len() + 8, "{most}");
    }
    let mut stream = Stream::default();
    stream.push(&whole[..whole.len() - 1], &mut |_| ()).unwrap();
    assert!(matches!(stream.end(), End::Torn(11)), "{:?}", stream.end());
    let mut broken = whole.clone();
    broken[MAGIC.len() + 10] ^= 1;
    let (mut stream, mut seen) = (Stream::default(), 0);
    for byte in &broken {
        stream.push(&[*byte], &mut |_| seen += 1).unwrap();
    }
    assert_eq!((seen, stream.end()), (0, End::Torn(broken.len() - 7)));
}

#[test]
fn why_a_jvm_ended_is_read() {
    for (kind, why) in [(2, Fate::Exit), (4, Fate::Query)] {
        let mut payload = small();
        payload.extend([0x18, 1, kind, 3, b'a', b'.', b'b']);
        let (events, _) = events(&segment(&[payload])).unwrap();
        assert!(
            matches!(events.last(), Some(Event::Fate { test: 1, fate, about }) if about == "a.b" && *fate == why),
            "{events:?}"
        );
    }
}
