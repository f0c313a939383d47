// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Storage and lookup of the ratings of a reputation registry
abstract contract FeedbackBook {
    /// @dev One storage slot, and one for each short tag.
    struct Feedback {
        int128 value;
        uint8 valueDecimals;
        bool isRevoked;
        uint64 responseCount;
        string tag1;
        string tag2;
    }

    /// @dev The result of `readAllFeedback`.
    struct Page {
        address[] clients;
        uint64[] feedbackIndexes;
        int128[] values;
        uint8[] valueDecimals;
        string[] tag1s;
        string[] tag2s;
        bool[] revokedStatuses;
    }

    /// @dev The hash of an empty tag matches any tag.
    struct Query {
        uint256 agentId;
        address[] clients;
        bytes32 tag1;
        bytes32 tag2;
        bool includeRevoked;
    }

    bytes32 private constant ANY = keccak256("");

    mapping(uint256 agentId => mapping(address client => uint64)) internal _lastIndex;
    mapping(uint256 agentId => mapping(address client => mapping(uint64 index => Feedback))) internal _feedback;

    function _find(Query memory query) internal view returns (Page memory page) {
        page = _newPage(_count(query));
        uint256 next;
        for (uint256 i; i < query.clients.length; i++) {
            address client = query.clients[i];
            uint64 last = _lastIndex[query.agentId][client];
            for (uint64 index = 1; index <= last; index++) {
                Feedback storage it = _feedback[query.agentId][client][index];
                if (_fits(it, query)) _put(page, next++, client, index, it);
            }
        }
    }

    function _count(Query memory query) private view returns (uint256 length) {
        for (uint256 i; i < query.clients.length; i++) {
            mapping(uint64 => Feedback) storage given = _feedback[query.agentId][query.clients[i]];
            uint64 last = _lastIndex[query.agentId][query.clients[i]];
            for (uint64 index = 1; index <= last; index++) {
                if (_fits(given[index], query)) length++;
            }
        }
    }

    function _newPage(uint256 length) private pure returns (Page memory) {
        return Page(
            new address[](length),
            new uint64[](length),
            new int128[](length),
            new uint8[](length),
            new string[](length),
            new string[](length),
            new bool[](length)
        );
    }

    function _put(Page memory page, uint256 place, address client, uint64 index, Feedback storage it) private view {
        page.clients[place] = client;
        page.feedbackIndexes[place] = index;
        page.values[place] = it.value;
        page.valueDecimals[place] = it.valueDecimals;
        page.tag1s[place] = it.tag1;
        page.tag2s[place] = it.tag2;
        page.revokedStatuses[place] = it.isRevoked;
    }

    function _fits(Feedback storage it, Query memory query) private view returns (bool) {
        return
            (query.includeRevoked || !it.isRevoked) &&
            (query.tag1 == ANY || query.tag1 == keccak256(bytes(it.tag1))) &&
            (query.tag2 == ANY || query.tag2 == keccak256(bytes(it.tag2)));
    }
}
